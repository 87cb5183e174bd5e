import { roleRelations, type Principal, type Relation, type Standing } from '@scriptorium/contracts';
import type { Projection } from '@scriptorium/event-sourcing';
import type { ServiceContext, Standings } from '@scriptorium/platform';
import { linkInviteDocs } from './link-invites/link-invite.projection.js';
import { memberKey, members } from './members/member.projection.js';
import { organizations } from './organizations/organization.projection.js';
import { samlProviders } from './sso/saml-provider.projection.js';
import { isWithoutSSO } from './sso/sso.queries.js';
import { teamMemberKey, teamMembers } from './teams/team-member.projection.js';
import { teams } from './teams/team.projection.js';
import { users } from './users/user.projection.js';

type Params = Readonly<Record<string, string>>;
type Store = ServiceContext['store'];

/** How callers stand to identity's resources, read from the service's own projections. */
export function identityStandings({ store }: ServiceContext): Standings {
  return {
    installation: (principal) => Promise.resolve(standing(true, installationRelations(principal))),
    user: (principal, params) => userStanding(store, principal, params),
    organization: (principal, params) => organizationStanding(store, principal, params),
    member: (principal, params) => memberStanding(store, principal, params),
    team: (principal, params) => teamStanding(store, principal, params),
    link_invite: (principal, params) => partStanding(store, principal, params, linkInviteDocs, params['inviteId']),
    saml_provider: (principal, params) => partStanding(store, principal, params, samlProviders, params['samlProviderId']),
  };
}

async function userStanding(store: Store, principal: Principal, { userId = principal.id }: Params): Promise<Standing> {
  const known = (await store.collection(users).byId(userId)) !== null;
  return standing(known, [...installationRelations(principal), ...self(principal, userId)]);
}

async function organizationStanding(store: Store, principal: Principal, { organizationId = '' }: Params): Promise<Standing> {
  const place = await membership(store, principal, organizationId);
  if (place === null) return standing(true, []);
  // Roles from `read` up may do all that owning a team adds, so only a guest's teams are looked at.
  const owns = !place.relations.includes('read') && (await ownsTeam(store, organizationId, principal.id));
  return within(place, true, owns ? ['team_owner'] : []);
}

async function memberStanding(store: Store, principal: Principal, { organizationId = '', userId = '' }: Params): Promise<Standing> {
  const [place, member] = await Promise.all([
    membership(store, principal, organizationId),
    store.collection(members).byId(memberKey(organizationId, userId)),
  ]);
  return place === null ? hidden : within(place, member !== null, self(principal, userId));
}

async function teamStanding(store: Store, principal: Principal, params: Params): Promise<Standing> {
  const { organizationId = '', teamId = '', userId = '' } = params;
  const [place, team, inTeam] = await Promise.all([
    membership(store, principal, organizationId),
    store.collection(teams).byId(teamId),
    store.collection(teamMembers).byId(teamMemberKey(teamId, principal.id)),
  ]);
  if (place === null) return hidden;
  const ofTeam: Relation[] = inTeam === null ? [] : inTeam.role === 'owner' ? ['team_member', 'team_owner'] : ['team_member'];
  return within(place, team?.organization === organizationId, [...ofTeam, ...self(principal, userId)]);
}

/** Standing to what belongs to an organization and is looked up by its id alone. */
async function partStanding<D extends { organization: string }>(
  store: Store,
  principal: Principal,
  { organizationId = '' }: Params,
  model: Projection<D>,
  id = '',
): Promise<Standing> {
  const [place, part] = await Promise.all([membership(store, principal, organizationId), store.collection(model).byId(id)]);
  return place === null ? hidden : within(place, part?.organization === organizationId);
}

/** A caller's place in an organization: what their role gives them, and whether they lack the single sign-on that is enforced. */
interface Place {
  relations: Relation[];
  withoutSSO: boolean;
}

/** The caller's place in the organization; null where there is none that counts. */
async function membership(store: Store, principal: Principal, organization: string): Promise<Place | null> {
  if (principal.organization !== undefined && principal.organization !== organization) return null;
  const [known, member] = await Promise.all([
    store.collection(organizations).byId(organization),
    store.collection(members).byId(memberKey(organization, principal.id)),
  ]);
  if (known === null || member === null || member.disabled) return null;
  return { relations: roleRelations(member.role), withoutSSO: await isWithoutSSO(store, known, member) };
}

/** A place seen from a resource of its organization. */
function within({ relations, withoutSSO }: Place, exists: boolean, more: readonly Relation[] = []): Standing {
  return { ...standing(exists, [...relations, ...more]), withoutSSO };
}

async function ownsTeam(store: Store, organization: string, user: string): Promise<boolean> {
  return (await store.collection(teamMembers).findOne({ organization, user, role: 'owner' })) !== null;
}

const hidden: Standing = { parentVisible: false, exists: false, relations: new Set() };

function standing(exists: boolean, relations: readonly Relation[]): Standing {
  return { parentVisible: true, exists, relations: new Set(relations) };
}

function self(principal: Principal, user: string): Relation[] {
  return principal.id === user ? ['self'] : [];
}

function installationRelations(principal: Principal): Relation[] {
  return principal.operator ? ['anyone', 'operator'] : ['anyone'];
}
