import { AppError, locateSpacesOnSites, type Space } from '@scriptorium/contracts';
import { ask, type Asking } from '@scriptorium/platform';

/** Where spaces are published, by id. */
export type SiteAddresses = ReadonlyMap<string, Pick<Space['urls'], 'published' | 'public'>>;

/** Whose addresses are wanted. `shareKey`: for sites that need one. */
interface Published {
  organization: string;
  /** Those that published sites show. */
  spaces: readonly string[];
  shareKey?: string | undefined;
}

/**
 * Where spaces are published, as the service of sites says; a visitor is told the addresses on their site. While that
 * service does not answer, spaces are shown without these addresses.
 */
export async function siteAddressesOf(
  asking: Asking,
  { organization, spaces, shareKey }: Published,
): Promise<SiteAddresses> {
  if (spaces.length === 0) return new Map();
  try {
    const wanted = { organization, spaces: [...new Set(spaces)], ...(shareKey === undefined ? {} : { shareKey }) };
    const { items } = await ask(asking, locateSpacesOnSites, wanted);
    return new Map(
      items.map(({ space, published, isPublic }) => [space, { published, ...(isPublic ? { public: published } : {}) }]),
    );
  } catch (error) {
    if (error instanceof AppError && error.reason === 'unavailable') return new Map();
    throw error;
  }
}
