import { lacksSSO, noSSO, type SSOFacts, type SSOLogin } from '@scriptorium/contracts';
import type { Scope } from '@scriptorium/platform';
import type { MemberDocument } from './member.projection.js';
import type { OrganizationDocument } from './organization.projection.js';
import { addressesOf } from './saml-addresses.js';
import { samlProviders } from './saml-provider.projection.js';
import { users } from './user.projection.js';

/** Whether an organization has an active provider. */
export async function hasActiveProvider({ store }: Scope, organization: string): Promise<boolean> {
  return (await store.read(samlProviders).findOne({ organization, status: 'active' })) !== null;
}

/** The logins of an organization's active providers, newest first. */
export async function listLogins(scope: Scope, organization: string): Promise<SSOLogin[]> {
  const docs = await scope.store
    .read(samlProviders)
    .find({ organization, status: 'active' })
    .sort({ createdAt: -1, _id: -1 })
    .toArray();
  return docs.map(({ _id, label }) => ({ id: _id, label, startURL: addressesOf(scope, _id).startURL }));
}

/**
 * What decides whether a member has to use single sign-on. No provider or account is read while the organization does
 * not enforce it.
 */
export async function ssoFactsOf(
  store: Scope['store'],
  { sso: enforced }: Pick<OrganizationDocument, 'sso'>,
  member: MemberDocument,
): Promise<{ facts: SSOFacts; kind: 'person' | 'service' }> {
  if (!enforced || member.role === null) return { facts: noSSO, kind: 'person' };
  const [linked, account] = await Promise.all([
    store.read(samlProviders).byIds(member.providers),
    store.read(users).byId(member.user),
  ]);
  const active = linked.filter(
    ({ organization, status }) => organization === member.organization && status === 'active',
  );
  return { facts: { enforced, activeProviders: active.map(({ _id }) => _id) }, kind: account?.kind ?? 'person' };
}

/** Whether the organization enforces single sign-on and this member is connected to none of its active providers. */
export async function isWithoutSSO(
  store: Scope['store'],
  organization: Pick<OrganizationDocument, 'sso'>,
  member: MemberDocument,
): Promise<boolean> {
  const { facts, kind } = await ssoFactsOf(store, organization, member);
  return lacksSSO(facts, { ...member, kind });
}
