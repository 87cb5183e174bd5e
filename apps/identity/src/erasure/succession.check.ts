import { AppError } from '@scriptorium/contracts';
import type { ServiceContext } from '@scriptorium/platform';
import { installation, installationId, isLastOperator } from '../installation/installation.js';
import { members } from '../members/member.projection.js';
import { isLastAdmin, roster } from '../members/roster.js';
import { organizations } from '../organizations/organization.projection.js';
import { users } from '../users/user.projection.js';

/**
 * Refuses that a person goes whom an organization or the installation has nobody to replace. `self`: they ask for it
 * themselves, and may know what their organizations are called.
 * @throws AppError `last_admin`, with every organization named.
 */
export async function requireSuccession(context: ServiceContext, user: string, self: boolean): Promise<void> {
  const { store } = context;
  const alone: string[] = [];
  for (const { organization } of await store.collection(members).find({ user, role: 'admin', disabled: false }).toArray()) {
    if (isLastAdmin(await store.load(roster, organization), user)) alone.push(organization);
  }
  const operators = await operatorIds(context);
  const isLast = isLastOperator(await store.load(installation, installationId), { user, operators });
  if (alone.length === 0 && !isLast) return;
  const titles = new Map((await store.collection(organizations).byIds(self ? alone : [])).map(({ _id, title }) => [_id, title]));
  throw nobodyLeft([
    ...alone.map((id) => ({ path: `organizations.${id}`, message: `${titles.get(id) ?? 'It'} would have no admin` })),
    ...(isLast ? [{ path: 'installation', message: 'It would have no operator' }] : []),
  ]);
}

/** The refusal that names who would be left without anybody in charge. */
export function nobodyLeft(details: { path: string; message: string }[]): AppError {
  return new AppError('last_admin', details, { message: 'Make somebody else an admin first, or delete the organization' });
}

/** All operators that the read model shows. */
export async function operatorIds({ store }: ServiceContext): Promise<string[]> {
  const found = await store.collection(users).find({ operator: true }).project<{ _id: string }>({ _id: 1 }).toArray();
  return found.map(({ _id }) => _id);
}
