import { AppError } from '@scriptorium/contracts';
import type { Scope } from '@scriptorium/platform';
import { installation, installationId, isLastOperator } from '../accounts/index.js';
import { members, organizations, users } from '../organization-read-models/index.js';
import { isLastAdmin, roster } from '../organizations/index.js';

/**
 * Refuses to erase the last admin of an organization or the last operator of the installation. `self`: the person asks
 * for their own erasure, and may see the titles of their organizations.
 * @throws AppError `last_admin` that names every organization
 */
export async function requireOtherAdmins(scope: Scope, user: string, self: boolean): Promise<void> {
  const { store } = scope;
  const withoutOtherAdmin: string[] = [];
  for (const { organization } of await store.read(members).find({ user, role: 'admin', disabled: false }).toArray()) {
    if (isLastAdmin(await store.load(roster, organization), user)) withoutOtherAdmin.push(organization);
  }
  const operators = await operatorIds(scope);
  const isLast = isLastOperator(await store.load(installation, installationId), { user, operators });
  if (withoutOtherAdmin.length === 0 && !isLast) return;
  const titles = new Map(
    (await store.read(organizations).byIds(self ? withoutOtherAdmin : [])).map(({ _id, title }) => [_id, title]),
  );
  throw lastAdminError([
    ...withoutOtherAdmin.map((id) => ({
      path: `organizations.${id}`,
      message: `${titles.get(id) ?? 'The organization'} would have no admin`,
    })),
    ...(isLast ? [{ path: 'installation', message: 'The installation would have no operator' }] : []),
  ]);
}

/** The refusal, with what would have no admin or operator. */
export function lastAdminError(details: { path: string; message: string }[]): AppError {
  return new AppError('last_admin', details, {
    message: 'Make somebody else an admin or operator first, or delete the organization',
  });
}

/** The ids of all operators that the read model shows. */
export async function operatorIds({ store }: Scope): Promise<string[]> {
  const found = await store.read(users).find({ operator: true }).project<{ _id: string }>({ _id: 1 }).toArray();
  return found.map(({ _id }) => _id);
}
