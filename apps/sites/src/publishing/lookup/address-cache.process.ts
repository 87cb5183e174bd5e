import { nodeAccess, organizationFacts } from '@scriptorium/access';
import { locatePublishedPath, type Principal } from '@scriptorium/contracts';
import { createVersionedCache, systemClock } from '@scriptorium/event-sourcing';
import { ask, type Call, type ServiceContext } from '@scriptorium/platform';
import { LRUCache } from 'lru-cache';
import type * as z from 'zod';
import { sites } from '../../model/index.js';
import { spaceHeads } from '../../spaces/index.js';
import type { SeenStructure } from './locate-in-site.js';
import { SpaceClaims } from './used-claims.process.js';

/** The site that an address names, and how many parts of the path do that. */
export interface NamedSite {
  id: string;
  taken: number;
  /** `false` when a longer path names another site. */
  isComplete?: boolean;
}

type WantedPlace = z.input<typeof locatePublishedPath.input>;
export type FoundPlace = z.output<typeof locatePublishedPath.response>;

const mostSites = 10_000;
const mostPlaces = 20_000;
/** Of each of them. */
const mostBytes = 16 * 1024 * 1024;
const [bytesOfEntry, bytesOfItem, bytesOfCharacter] = [300, 500, 2];

/**
 * What a replica remembers of published addresses, so that most of them are answered without asking the database or the
 * service of content. Nothing is used after what it was made from has changed.
 */
export class AddressCache {
  readonly spaceClaims = new SpaceClaims();
  readonly #context: Pick<ServiceContext, 'store'>;
  readonly #sites = createVersionedCache<NamedSite | null>(
    // Addresses, by which they are found, may be long.
    { max: mostSites, size: { of: () => bytesOfEntry, max: mostBytes } },
    systemClock,
  );
  readonly #seen = createVersionedCache<SeenStructure>(
    { max: mostSites, size: { of: bytesOfStructures, max: mostBytes } },
    systemClock,
  );
  readonly #places = new LRUCache<string, FoundPlace>({
    max: mostPlaces,
    maxSize: mostBytes,
    sizeCalculation: ({ path = '' }, key) => bytesOfEntry + (key.length + path.length) * bytesOfCharacter,
  });

  constructor(context: Pick<ServiceContext, 'store'>) {
    this.#context = context;
  }

  /** The site of an address. `find` reads sites and organizations. */
  site(address: string, find: () => Promise<NamedSite | null>): Promise<NamedSite | null> {
    return this.#sites.get(address, () => this.#context.store.version([sites, organizationFacts]), find);
  }

  /**
   * What is shown of a site. `make` reads sites and the library; `of` names the site and everything else that it
   * depends on.
   */
  seen(of: string, make: () => Promise<SeenStructure>): Promise<SeenStructure> {
    return this.#seen.get(of, () => this.#context.store.version([sites, nodeAccess]), make);
  }

  /** `locatePublishedPath`, which is asked again only when its answer may have changed. */
  async place(call: Call<Principal | null>, wanted: WantedPlace): Promise<FoundPlace> {
    const { space, path, changeRequest, revision, reader } = wanted;
    if (changeRequest !== undefined || revision !== undefined) return ask(call, locatePublishedPath, wanted);
    const key = JSON.stringify([space, path, reader.type, reader.claims]);
    const head = await call.store.read(spaceHeads).byId(space);
    const cached = this.#places.get(key);
    if (cached !== undefined && cached.madeFrom === head?.revision) return cached;
    const found = await ask(call, locatePublishedPath, wanted);
    if (found.madeFrom !== undefined) this.#places.set(key, found);
    return found;
  }
}

function bytesOfStructures({ listed, all }: SeenStructure): number {
  return [listed, all].reduce(
    (bytes, { items, siteSpaces }) => bytes + bytesOfItem * (items.length + siteSpaces.length),
    bytesOfEntry,
  );
}
