import { AppError, type MemberRole } from '@scriptorium/contracts';
import { keyedGet, type Stored } from '@scriptorium/event-sourcing';
import { derivedId, newId, withStore, type Scope } from '@scriptorium/platform';
import { credentials, erasure, registerUser, user } from '../../accounts/index.js';
import {
  acceptPending,
  formerOwnerOf,
  linkIdentity,
  memberOf,
  ownerOf,
  pendingInvites,
  roster,
  type Roster,
  domainOf,
  domainOwner,
  ownsDomain,
  asPerson,
} from '../../organizations/index.js';
import { organizations, type UserDocument, users } from '../../organization-read-models/index.js';
import type { ActiveProvider } from '../providers/sso.js';
import { changeMembers, team } from '../../teams/index.js';
import type { Asserted } from './assertion.js';

/** A sign-in that a provider has asserted. */
export interface SAMLSignIn {
  organization: string;
  provider: string;
  settings: ActiveProvider;
  asserted: Pick<Asserted, 'name' | 'displayName'>;
  /** The user whose session asked to connect their account. Null for a sign-in. */
  connect: string | null;
}

/**
 * Finds or creates the user of an asserted identity: the user who is connected to it; else the one who connects their
 * own account now, or the member with this address whom an admin has marked for single sign-on; else a new user. An
 * address alone never gives access to an existing account. Whether somebody who is no member has an account with the
 * address makes no difference: the provider, which can assert any address, would learn who has one.
 * @throws AppError `already_exists` for a member who is not marked, and for who was one, `forbidden` for a disabled
 * member, `limit_reached`
 */
export async function completeSignIn(scope: Scope, signIn: SAMLSignIn): Promise<string> {
  const { organization, provider, asserted, connect } = signIn;
  const identity = identityOf(scope, provider, asserted.name);
  const state = await scope.store.load(roster, organization);
  const owner = ownerOf(state, { provider, identity });
  const person = owner ?? connect;
  if (owner !== undefined && connect !== null && owner !== connect)
    throw alreadyExists('Somebody else is connected to this identity');
  if (person !== null) return linkPerson(scope, signIn, identity, { person, own: connect !== null });
  const known = await scope.store.read(users).find({ email: asserted.name }).toArray();
  const here = known.filter(({ _id }) => memberOf(state, _id) !== undefined);
  const admitted = here.filter((one) => isMarkedForSSO(state, one, provider));
  const [member] = admitted;
  if (member !== undefined && admitted.length === 1)
    return linkPerson(scope, signIn, identity, {
      person: member._id,
      own: await isMadeByProvider(scope, organization, member._id),
    });
  if (here.length > 0)
    throw alreadyExists('A member has this address, but their account is not connected to the provider');
  const next = await newPersonId(scope, provider, identity);
  const former = formerOwnerOf(state, { provider, identity });
  if ((await hasSignedIn(scope, next)) || (former !== undefined && !(await isErased(scope, former))))
    throw alreadyExists('This person was removed from the organization');
  return registerPerson(scope, signIn, identity, next);
}

/** The keyed hash of a name at a provider. Events contain only the hash. */
function identityOf({ keys }: Scope, provider: string, name: string): string {
  return keys.digest('saml', provider, name).toString('base64url');
}

/** The id of a new user of this identity. It is always the same, until that user is erased. */
async function newPersonId(scope: Scope, provider: string, identity: string): Promise<string> {
  for (let erased = 0; ; erased += 1) {
    const id = derivedId('saml person', provider, identity, String(erased));
    if (!(await isErased(scope, id))) return id;
  }
}

async function isErased({ store }: Scope, user: string): Promise<boolean> {
  return (await store.load(erasure, user)).status === 'erased';
}

/**
 * Whether the account was used. If it was, its owner has been removed since. If not, it is new, or left over from an
 * interrupted request.
 */
async function hasSignedIn({ store }: Scope, user: string): Promise<boolean> {
  return (await store.load(credentials, user)).signedIn;
}

function isMarkedForSSO(state: Roster, { _id, kind }: Stored<UserDocument>, provider: string): boolean {
  const member = memberOf(state, _id);
  return kind === 'person' && member?.sso === true && member.identities[provider] === undefined;
}

/** Whether the organization's provider has made the account by SCIM, and nobody has proved its address since. */
async function isMadeByProvider({ store }: Scope, organization: string, person: string): Promise<boolean> {
  const account = await store.load(user, person);
  if (account.status !== 'active' || account.emailVerified) return false;
  return keyedGet(account.provisioned, organization)?.created === true;
}

function alreadyExists(message: string): AppError {
  return new AppError('already_exists', [], { message });
}

interface LinkedPerson {
  person: string;
  /** The role of a new member. By default that of the provider. */
  role?: MemberRole | null;
  /** Whether they connect it from a session of their own, or it creates their account. */
  own: boolean;
}

/** Connects the identity to a person, who becomes a member if they are none. */
async function linkPerson(
  scope: Scope,
  signIn: SAMLSignIn,
  identity: string,
  { person, role, own: isOwn }: LinkedPerson,
): Promise<string> {
  const { organization, provider, settings } = signIn;
  const own = asPerson(scope, person);
  const { limits, store } = own;
  const account = await store.read(users).byId(person);
  const joining = {
    user: person,
    membership: newId(),
    role: role === undefined ? settings.defaultRole : role,
    via: 'saml' as const,
    kind: account?.kind,
    organizations: account?.organizations.length ?? 0,
  };
  const { events } = await store.handle(roster, organization, (state) =>
    linkIdentity(state, { provider, identity, joining, limits, own: isOwn }),
  );
  for (const { type, data } of events) {
    if (type === 'MemberJoined') await joinDefaultTeam(own, settings.defaultTeam, data);
  }
  return person;
}

/**
 * Adds a new member to the default team, once for each membership, so that a member who leaves the team is not added
 * again. A team that is full or deleted does not prevent the sign-in.
 */
export async function joinDefaultTeam(
  scope: Scope,
  id: string | null,
  joined: { user: string; membership: string },
): Promise<void> {
  if (id === null) return;
  const { user, membership } = joined;
  const put = [{ user, membership, role: undefined }];
  try {
    await scope.store
      .keyed(`saml:${membership}`)
      .handle(team, id, (state) =>
        changeMembers(state, { put, remove: [], by: { user, admin: true }, limit: scope.limits.membersPerTeam }),
      );
  } catch (error) {
    if (!(error instanceof AppError) || !['limit_reached', 'not_found'].includes(error.reason)) throw error;
    scope.logger.warn(
      { team: id, reason: error.reason },
      'a member who signed in by single sign-on could not be added to the default team',
    );
  }
}

/** Creates the account of a new user. The address is not verified: outside this organization it proves nothing. */
async function registerPerson(scope: Scope, signIn: SAMLSignIn, identity: string, person: string): Promise<string> {
  const { asserted, organization } = signIn;
  const { name: email, displayName } = asserted;
  const account = { email, displayName, emailVerified: false, kind: 'person', operator: false } as const;
  const own = asPerson(scope, person);
  await registerUser(withStore(own, own.store.in(null).keyed(`saml:${identity}`)), person, account);
  const invite = await invitationOf(scope, organization, email);
  await linkPerson(scope, signIn, identity, { person, own: true, ...(invite === null ? {} : { role: invite.role }) });
  if (invite !== null) await acceptPending(own, invite._id, person);
  return person;
}

/**
 * The pending invitation of the organization to this address, if the organization owns the domain of the address. The
 * assertion of its provider is sufficient proof only then.
 */
async function invitationOf(scope: Scope, organization: string, email: string) {
  const invite = await scope.store.read(pendingInvites).findOne({ organization, email });
  const settings = invite === null ? null : await scope.store.read(organizations).byId(organization);
  if (settings === null) return null;
  return ownsDomain(domainOf(email), await domainOwner(scope, settings)) ? invite : null;
}
