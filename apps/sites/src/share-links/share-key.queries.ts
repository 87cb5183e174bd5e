import { timingSafeEqual } from 'node:crypto';
import { base62, type Scope } from '@scriptorium/platform';
import type { ShareLinkState } from '../model/index.js';

const characters = 22;

/**
 * The key of a share link: made of its id and a secret of the installation that never changes. It is stored nowhere.
 */
export function keyOfLink({ keys }: Pick<Scope, 'keys'>, site: string, link: string): string {
  return base62(keys.digest('share-link', site, link).subarray(0, 17), characters);
}

/** The active share link of a site that has this key; `undefined` when there is none. */
export function linkWithKey(
  scope: Pick<Scope, 'keys'>,
  { site, links }: { site: string; links: readonly ShareLinkState[] },
  key: string,
): ShareLinkState | undefined {
  const given = Buffer.from(key);
  return links.find(({ id, active }) => {
    const known = Buffer.from(keyOfLink(scope, site, id));
    return active && known.length === given.length && timingSafeEqual(known, given);
  });
}
