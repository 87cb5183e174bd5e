import { embedBatch, locateInContent } from '@scriptorium/contracts';
import { ask, type Scope } from '@scriptorium/platform';
import { LRUCache } from 'lru-cache';
import { branchHeads } from './branch-head.projection.js';

/** A part of the content of a branch. */
export interface ContentPlace {
  page: string;
  node?: string | undefined;
  tableCell?: { record: string; definition: string } | undefined;
}

/** The main content of a space, or that of a change request: `branch` is the id of either. */
export interface ContentBranch {
  space: string;
  branch: string;
}

const maxCachedPages = 100_000;

/**
 * What content answers about its pages. A revision never changes, so what was answered once is kept and never stale.
 */
export class ContentPlaces {
  readonly #pages = new LRUCache<string, { isThere: boolean }>({ max: maxCachedPages });

  /**
   * Whether a place exists in the newest revision of a branch, and which revision that is.
   * @throws AppError `not_found` for a branch that is not there, `unavailable` when content does not answer
   */
  async find(
    scope: Scope,
    branch: ContentBranch,
    place: ContentPlace,
  ): Promise<{ revision: string; isThere: boolean }> {
    const { revision, found } = await ask(scope, locateInContent, { ...branch, places: [place] });
    return { revision, isThere: found[0] === true };
  }

  /**
   * Filters pages: the result has the ones that the newest revision of a branch no longer contains.
   * @throws AppError `unavailable` when content does not answer
   */
  async missing(scope: Scope, branch: ContentBranch, pages: readonly string[]): Promise<ReadonlySet<string>> {
    const wanted = [...new Set(pages)];
    if (wanted.length === 0) return new Set();
    const head = await scope.store.read(branchHeads).byId(branch.branch);
    if (head?.revision == null) return new Set(wanted);
    const { revision } = head;
    const isThere = new Map(wanted.map((page) => [page, this.#pages.get(`${revision}/${page}`)?.isThere]));
    const unknown = wanted.filter((page) => isThere.get(page) === undefined);
    for (let start = 0; start < unknown.length; start += embedBatch) {
      const some = unknown.slice(start, start + embedBatch);
      const places = some.map((page) => ({ page }));
      const { found } = await ask(scope, locateInContent, { ...branch, revision, places });
      some.forEach((page, i) => {
        isThere.set(page, found[i]);
        this.#pages.set(`${revision}/${page}`, { isThere: found[i] === true });
      });
    }
    return new Set(wanted.filter((page) => isThere.get(page) !== true));
  }
}
