import { AppError, limitReached, type Principal } from '@scriptorium/contracts';
import { newId, type Call, type Scope } from '@scriptorium/platform';
import { organizations, provisionedUsers, samlProviders, users } from '../../organization-read-models/index.js';
import { admitProvisioned, roster } from '../../organizations/index.js';

/** Makes a person a member whom the provider lets in. Returns whether they have become one. */
export async function admit(call: Call<Principal | null>, organization: string, user: string): Promise<boolean> {
  const { store, limits } = call;
  const joining = await joiningOf(call, organization, user);
  const { events } = await store.handle(roster, organization, (state) => admitProvisioned(state, { joining, limits }));
  return events.some(({ type }) => type === 'MemberJoined');
}

/** @throws AppError `limit_reached` where `admit` would, `forbidden` */
export async function requireAdmittance(
  call: Call<Principal | null>,
  organization: string,
  user: string,
): Promise<void> {
  const { store, limits } = call;
  const joining = await joiningOf(call, organization, user);
  admitProvisioned(await store.load(roster, organization), { joining, limits });
}

/**
 * An organization has at most as many users who are not active as it may have members.
 * @throws AppError `limit_reached`
 */
export async function requireInactivePlace(
  { store, limits }: Call<Principal | null>,
  organization: string,
): Promise<void> {
  const limit = limits.membersPerOrganization;
  const inactive = { organization, membership: { $ne: 'present' as const } };
  if ((await store.read(provisionedUsers).count(inactive, limit)) >= limit)
    throw limitReached('membersPerOrganization', limit);
}

async function joiningOf(call: Call<Principal | null>, organization: string, user: string) {
  const doc = await call.store.read(users).byId(user);
  return {
    user,
    membership: newId(),
    role: await roleOfNew(call, organization),
    kind: doc?.kind,
    organizations: doc?.organizations.length ?? 0,
  };
}

/** The role of new members: that of the active provider, or of the organization if there are several. */
async function roleOfNew({ store }: Scope, organization: string) {
  const [provider, ...others] = await store.read(samlProviders).find({ organization, status: 'active' }).toArray();
  if (provider !== undefined && others.length === 0) return provider.defaultRole;
  const doc = await store.read(organizations).byId(organization);
  if (doc === null) throw new AppError('not_found');
  return doc.defaultRole;
}
