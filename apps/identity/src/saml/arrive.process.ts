import { AppError, type MemberRole } from '@scriptorium/contracts';
import type { CommandContext, Stored } from '@scriptorium/event-sourcing';
import { derivedId, newId, type ServiceContext } from '@scriptorium/platform';
import { erasure } from '../erasure/erasure.js';
import { acceptPending } from '../invites/admit.process.js';
import { pendingInvites } from '../invites/pending-invite.projection.js';
import { domainOf, ownsDomain } from '../members/join-by-domain.js';
import { adminAddresses } from '../members/admin-addresses.queries.js';
import { link, memberOf, ownerOf, roster, type Roster } from '../members/roster.js';
import { organizations } from '../organizations/organization.projection.js';
import type { ActiveProvider } from '../sso/sso.js';
import { changeMembers, team } from '../teams/team.js';
import { credentials } from '../tokens/credentials.js';
import { registerUser } from '../users/register-user.process.js';
import { users, type UserDocument } from '../users/user.projection.js';
import type { Asserted } from './assertion.js';

/** Somebody whom a provider has sent. */
export interface Arrival {
  organization: string;
  provider: string;
  settings: ActiveProvider;
  asserted: Pick<Asserted, 'name' | 'displayName'>;
  /** Whose session asked for it, to connect their account; null where somebody signs in. */
  connect: string | null;
  /** What it is recorded as, in the name of a person. */
  commandOf: (person: string) => CommandContext;
}

/**
 * Whom an arrival is (decisions 1.5 "links and scope"): the person for whom the identity stands; else who connects their own
 * account, or a member of this address whom an admin lets; else a new person. An address alone makes nobody somebody who is here.
 * @throws AppError `already_exists` for an account in any other case, `forbidden` for a disabled member, `limit_reached`
 */
export async function arrive(context: ServiceContext, arrival: Arrival): Promise<string> {
  const { organization, provider, asserted, connect } = arrival;
  const identity = identityOf(context, provider, asserted.name);
  const state = await context.store.load(roster, organization);
  const owner = ownerOf(state, { provider, identity });
  const person = owner ?? connect;
  if (owner !== undefined && connect !== null && owner !== connect) throw taken('Somebody else is connected to this identity');
  if (person !== null) return linked(context, arrival, identity, { person });
  const known = await context.store.collection(users).find({ email: asserted.name }).toArray();
  const own = await idOfNext(context, provider, identity);
  if (known.length === 0 || (await isUnfinished(context, known, own))) return newPerson(context, arrival, identity, own);
  const admitted = known.filter((one) => isLetIn(state, one, provider));
  const [member] = admitted;
  if (member === undefined || admitted.length > 1) throw taken('There is an account with this address, which is not connected to the provider');
  return linked(context, arrival, identity, { person: member._id });
}

/** Names stand in no event but as this. */
function identityOf({ keys }: ServiceContext, provider: string, name: string): string {
  return keys.digest('saml', provider, name).toString('base64url');
}

/** Who a new person of this identity is, whoever asks: the first whom nobody has erased. */
async function idOfNext({ store }: ServiceContext, provider: string, identity: string): Promise<string> {
  for (let erased = 0; ; erased += 1) {
    const id = derivedId('saml person', provider, identity, String(erased));
    if ((await store.load(erasure, id)).status !== 'erased') return id;
  }
}

/** Whether this is what a request that died halfway has left of the same arrival. Who has once been in and was removed is not. */
async function isUnfinished({ store }: ServiceContext, known: readonly Stored<UserDocument>[], own: string): Promise<boolean> {
  return known.every(({ _id }) => _id === own) && !(await store.load(credentials, own)).signedIn;
}

function isLetIn(state: Roster, { _id, kind }: Stored<UserDocument>, provider: string): boolean {
  const member = memberOf(state, _id);
  return kind === 'person' && member?.sso === true && member.identities[provider] === undefined;
}

function taken(message: string): AppError {
  return new AppError('already_exists', [], { message });
}

interface Admission {
  person: string;
  /** As what they become a member; the provider's default unless told. */
  role?: MemberRole | null;
}

/** Has the identity stand for the person, who becomes a member if they are none. */
async function linked(context: ServiceContext, arrival: Arrival, identity: string, { person, role }: Admission): Promise<string> {
  const { organization, provider, settings } = arrival;
  const { limits, store } = context;
  const command = arrival.commandOf(person);
  const account = await store.collection(users).byId(person);
  const joining = { user: person, membership: newId(), role: role === undefined ? settings.defaultRole : role, via: 'saml' as const, organizations: account?.organizations.length ?? 0 };
  const { events } = await store.handle(roster, organization, command, (state) => link(state, { provider, identity, joining, limits }));
  for (const { type, data } of events) {
    if (type === 'MemberJoined') await joinTeam(context, settings.defaultTeam, data, command);
  }
  return person;
}

/** A team that is full or gone keeps nobody out of the organization. Once for each stay: who has left the team since is not put back. */
export async function joinTeam(context: ServiceContext, id: string | null, stay: { user: string; membership: string }, command: CommandContext): Promise<void> {
  if (id === null) return;
  const { user, membership } = stay;
  const put = [{ user, membership, role: undefined }];
  try {
    await context.store.handle(team, id, { ...command, idem: `saml:${membership}` }, (state) =>
      changeMembers(state, { put, remove: [], by: { user, admin: true }, limit: context.limits.membersPerTeam }),
    );
  } catch (error) {
    if (!(error instanceof AppError) || !['limit_reached', 'not_found'].includes(error.reason)) throw error;
    context.logger.warn({ team: id, reason: error.reason }, 'somebody who came by single sign-on could not be put into the default team');
  }
}

/** Somebody who was not here before. Their address is not verified: outside this organization it says nothing. */
async function newPerson(context: ServiceContext, arrival: Arrival, identity: string, person: string): Promise<string> {
  const { asserted, organization } = arrival;
  const { name: email, displayName } = asserted;
  const account = { email, displayName, emailVerified: false, kind: 'person', operator: false } as const;
  await registerUser(context, person, account, { ...arrival.commandOf(person), organization: null, idem: `saml:${identity}` });
  const invite = await invitationOf(context, organization, email);
  await linked(context, arrival, identity, { person, ...(invite === null ? {} : { role: invite.role }) });
  if (invite !== null) await acceptPending(context, invite._id, person, arrival.commandOf(person));
  return person;
}

/** A pending invitation to the organization, where the address is of a domain that is the organization's own: for it, the provider's word is enough. */
async function invitationOf(context: ServiceContext, organization: string, email: string) {
  const invite = await context.store.collection(pendingInvites).findOne({ organization, email });
  const settings = invite === null ? null : await context.store.collection(organizations).byId(organization);
  if (settings === null) return null;
  const admins = await adminAddresses(context, organization);
  return ownsDomain(domainOf(email), { emailDomains: settings.emailDomains, admins }) ? invite : null;
}
