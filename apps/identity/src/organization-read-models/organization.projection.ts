import { projection, type EventOf, type Recorded } from '@scriptorium/event-sourcing';
import {
  claimsChanged,
  newOrganization,
  noClaims,
  type OrganizationClaims,
  type OrganizationEvent,
  organizationEvents,
  type OrganizationSettings,
  rosterEvents,
  settingsChanged,
  ssoEvents,
  teamEvents,
} from '../events/index.js';
import { sortKey } from './sort-key.js';

export interface OrganizationDocument extends OrganizationSettings, OrganizationClaims {
  titleKey: string;
  createdAt: string;
  createdBy: string;
  members: number;
  teams: number;
  /** Whether members have to sign in through a provider of the organization. */
  sso: boolean;
}

const others = [
  rosterEvents.pick('MemberJoined', 'MemberRemoved'),
  teamEvents.pick('TeamCreated', 'TeamDeleted'),
  ssoEvents.pick('OrganizationSSOEnforcementEnabled', 'OrganizationSSOEnforcementDisabled'),
] as const;
type Consumed = Recorded<OrganizationEvent | EventOf<(typeof others)[number]>>;

function evolve(doc: OrganizationDocument | null, event: Consumed): OrganizationDocument | null {
  if (event.type === 'OrganizationCreated') {
    const { claims: _, ...settings } = event.data;
    return {
      ...newOrganization,
      ...settings,
      ...claimsChanged(noClaims, event),
      titleKey: sortKey(settings.title),
      createdAt: event.meta.time,
      members: 0,
      teams: 0,
      sso: false,
    };
  }
  if (doc === null) return null;
  switch (event.type) {
    case 'OrganizationDeleted':
      return null;
    case 'MemberJoined':
      return { ...doc, members: doc.members + 1 };
    case 'MemberRemoved':
      return { ...doc, members: doc.members - 1 };
    case 'TeamCreated':
      return { ...doc, teams: doc.teams + 1 };
    case 'TeamDeleted':
      return { ...doc, teams: doc.teams - 1 };
    case 'OrganizationSSOEnforcementEnabled':
      return { ...doc, sso: true };
    case 'OrganizationSSOEnforcementDisabled':
      return { ...doc, sso: false };
    default: {
      const next = { ...doc, ...settingsChanged(event), ...claimsChanged(doc, event) };
      return { ...next, titleKey: sortKey(next.title) };
    }
  }
}

export const organizations = projection({
  name: 'organization',
  version: 5,
  entities: ['identity.organization', 'identity.roster', 'identity.team', 'identity.sso'],
  events: [organizationEvents, ...others],
  history: { of: 'identity.organization', except: ['members', 'teams', 'sso'] },
  indexes: [{ key: { hostname: 1 } }, { key: { emailDomains: 1 } }],
  id: (event) => event.meta.organization,
  evolve,
});
