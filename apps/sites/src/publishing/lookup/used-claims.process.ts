import { AppError, listUsedExpressions, type SiteCustomization, type Principal } from '@scriptorium/contracts';
import type { Claims } from '@scriptorium/expressions';
import { ask, type Call } from '@scriptorium/platform';
import { LRUCache } from 'lru-cache';
import { customizations, sectionsOf, type SiteDocument } from '../../model/index.js';
import { spaceHeads } from '../../spaces/index.js';
import { claimsUsedBy, type UsedClaims } from './used-claims.js';

/**
 * The spaces of a batch that content is asked about at once, and the time that is left for the answer of the request,
 * in ms.
 */
const [batchSize, marginMs] = [16, 4_000];
/** Bounds of the cache: spaces, and the paths of all spaces in it. */
const [mostSpaces, mostPaths] = [5_000, 100_000];

/** The claims that the spaces of sites use, as far as content has answered. */
export class SpaceClaims {
  readonly #cache = new LRUCache<string, { madeFrom: string; used: UsedClaims }>({
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
    call: Call<Principal | null>,
    site: SiteDocument & { _id: string },
    { claims, spaces }: { claims: Claims; spaces: readonly string[] },
  ): Promise<UsedClaims> {
    if (Object.keys(claims).length === 0) return new Set();
    const used = [claimsUsedBy(await conditionsOf(call, site))];
    for (let start = 0; start < spaces.length; start += batchSize) {
      if (call.deadline - call.now() < marginMs) return 'all';
      const some = spaces.slice(start, start + batchSize);
      used.push(...(await Promise.all(some.map((space) => this.#usedIn(call, site.organization, space)))));
    }
    return used.includes('all') ? 'all' : new Set(used.flatMap((one) => [...one]));
  }

  async #usedIn(call: Call<Principal | null>, organization: string, space: string): Promise<UsedClaims> {
    const head = await call.store.read(spaceHeads).byId(space);
    const cached = this.#cache.get(space);
    if (cached !== undefined && cached.madeFrom === head?.revision) return cached.used;
    try {
      const { madeFrom, expressions } = await ask(call, listUsedExpressions, { organization, space });
      const used = expressions === null ? 'all' : claimsUsedBy(expressions);
      if (madeFrom !== undefined) this.#cache.set(space, { madeFrom, used });
      return used;
    } catch (error) {
      // A space without content uses no claims. After any other error it may use all of them.
      if (error instanceof AppError) return error.reason === 'not_found' ? new Set() : 'all';
      throw error;
    }
  }
}

async function conditionsOf({ store }: Call<Principal | null>, { _id, structure }: SiteDocument & { _id: string }) {
  const looks = await store.read(customizations).byIds([_id, ...structure.siteSpaces.map(({ id }) => id)]);
  const links = looks.flatMap(
    ({ settings }) => (settings['header'] as Partial<SiteCustomization['header']>)?.links ?? [],
  );
  return [...sectionsOf(structure), ...structure.siteSpaces, ...links].flatMap(({ condition }) => condition ?? []);
}
