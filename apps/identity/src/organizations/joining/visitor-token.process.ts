import { AppError, issueMemberVisitorToken } from '@scriptorium/contracts';
import { ask, type Call } from '@scriptorium/platform';
import { memberKey, members, organizations } from '../../organization-read-models/index.js';

/**
 * A token with which the caller is a visitor of the site that an organization shows first; `undefined` when it shows
 * none, when that one does not ask who its visitors are, and while the service of sites does not answer: whoever says
 * that they are there needs no site.
 */
export async function visitorToken(call: Call, organization: string): Promise<string | undefined> {
  const user = call.principal.id;
  const [found, member] = await Promise.all([
    call.store.read(organizations).byId(organization),
    call.store.read(members).byId(memberKey(organization, user)),
  ]);
  const site = found?.site ?? null;
  if (site === null) return undefined;
  try {
    return (await ask(call, issueMemberVisitorToken, { organization, site, user, role: member?.role ?? null })).token;
  } catch (error) {
    if (error instanceof AppError && error.reason === 'unavailable') return undefined;
    throw error;
  }
}
