import { AppError, listUsedExpressions, type SiteCustomization } from '@scriptorium/contracts';
import type { Claims } from '@scriptorium/expressions';
import { ask, type InternalCall } from '@scriptorium/platform';
import { LRUCache } from 'lru-cache';
import { customizations, sectionsOf, type SiteDocument } from '../../model/index.js';
import { spaceHeads } from '../../spaces/index.js';
import { claimsUsedBy, type UsedClaims } from './used-claims.js';

/** Spaces that are asked about together, and what is left of the time of a request for its answer, ms. */
const [atOnce, marginMs] = [16, 4_000];
const mostSpaces = 5_000;
/** Paths of all spaces that are remembered. */
const mostPaths = 100_000;

/** What the spaces of sites use of claims, as far as content has told. */
export class SpaceClaims {
  readonly #known = new LRUCache<string, { madeFrom: string; used: UsedClaims }>({
    max: mostSpaces,
    maxSize: mostPaths,
    sizeCalculation: ({ used }) => 1 + (used === 'all' ? 0 : used.size),
  });

  /**
   * The claims on which it depends what a visitor is shown: those that conditions of the site and expressions in its
   * spaces use. All of them when content does not tell in time, since two visitors who are shown different things must
   * never pass for one.
   */
  async usedOn(
    call: InternalCall,
    site: SiteDocument & { _id: string },
    { claims, spaces }: { claims: Claims; spaces: readonly string[] },
  ): Promise<UsedClaims> {
    if (Object.keys(claims).length === 0) return new Set();
    const used = [claimsUsedBy(await conditionsOf(call, site))];
    for (let start = 0; start < spaces.length; start += atOnce) {
      if (call.deadline - call.now() < marginMs) return 'all';
      const some = spaces.slice(start, start + atOnce);
      used.push(...(await Promise.all(some.map((space) => this.#usedIn(call, site.organization, space)))));
    }
    return used.includes('all') ? 'all' : new Set(used.flatMap((one) => [...one]));
  }

  async #usedIn(call: InternalCall, organization: string, space: string): Promise<UsedClaims> {
    const head = await call.store.read(spaceHeads).byId(space);
    const known = this.#known.get(space);
    if (known !== undefined && known.madeFrom === head?.revision) return known.used;
    try {
      const { madeFrom, expressions } = await ask(call, listUsedExpressions, { organization, space });
      const used = expressions === null ? 'all' : claimsUsedBy(expressions);
      this.#known.set(space, { madeFrom, used });
      return used;
    } catch (error) {
      // A space without content has none; of any other reason nothing can be told.
      if (error instanceof AppError) return error.reason === 'not_found' ? new Set() : 'all';
      throw error;
    }
  }
}

async function conditionsOf({ store }: InternalCall, { _id, structure }: SiteDocument & { _id: string }) {
  const looks = await store.read(customizations).byIds([_id, ...structure.siteSpaces.map(({ id }) => id)]);
  const links = looks.flatMap(
    ({ settings }) => (settings['header'] as Partial<SiteCustomization['header']>)?.links ?? [],
  );
  return [...sectionsOf(structure), ...structure.siteSpaces, ...links].flatMap(({ condition }) => condition ?? []);
}
