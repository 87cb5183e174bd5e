import type { Principal } from '@scriptorium/contracts';
import type { Claims } from '@scriptorium/expressions';
import type { SiteViewer } from './shown.js';

/**
 * How a site is shown to a caller: members and installations see everything, visitors what their claims allow.
 * `shareKey`: the key that a request names; visitors have the one with which they came, too.
 */
export function viewerOf(
  principal: Principal,
  shareKey: string | undefined,
): { viewer: SiteViewer; shareKey: string | undefined } {
  if (principal.kind !== 'visitor') return { viewer: { kind: 'member' }, shareKey };
  const { claims, type, spaces, shareKey: own } = principal.visitor;
  return { viewer: { kind: 'visitor', claims: claims as Claims, type, spaces }, shareKey: shareKey ?? own };
}
