import { AppError } from '@scriptorium/contracts';
import { defineAggregate } from '@scriptorium/event-sourcing';
import {
  claimsChanged,
  newOrganization,
  noClaims,
  type OrganizationClaims,
  type OrganizationEvent,
  organizationEvents,
  type OrganizationSettings,
  settingsChanged,
} from '../../events/index.js';

export type Organization =
  | { status: 'absent' }
  | ({ status: 'active'; createdBy: string } & OrganizationSettings & OrganizationClaims)
  | { status: 'deleted'; hostname: string };

function evolve(state: Organization, event: OrganizationEvent): Organization {
  if (event.type === 'OrganizationCreated') {
    const { claims: _, ...settings } = event.data;
    return { status: 'active', ...newOrganization, ...settings, ...claimsChanged(noClaims, event) };
  }
  if (state.status !== 'active') return state;
  return event.type === 'OrganizationDeleted'
    ? { status: 'deleted', hostname: state.hostname }
    : { ...state, ...settingsChanged(event), ...claimsChanged(state, event) };
}

export const organization = defineAggregate({
  service: 'identity',
  entity: 'organization',
  events: organizationEvents,
  initial: { status: 'absent' },
  evolve,
});

/** The admin who names e-mail domains, with the domain of their verified address. Naming that domain claims it. */
export interface Claimant {
  user: string;
  domain: string;
}

interface NewOrganization {
  title: string;
  hostname: string;
  emailDomains: readonly string[];
  createdBy: string;
  claimant?: Claimant | null;
  withDefaultSite?: boolean;
}

export function create(state: Organization, input: NewOrganization): OrganizationEvent[] {
  if (state.status !== 'absent') throw new AppError('already_exists');
  const { claimant = null, emailDomains, withDefaultSite = false, ...settings } = input;
  return [
    {
      type: 'OrganizationCreated',
      data: {
        ...settings,
        emailDomains: [...emailDomains],
        claims: 'recorded',
        ...(withDefaultSite ? { withDefaultSite } : {}),
      },
    },
    ...claimEvents(noClaims, emailDomains, claimant),
  ];
}

/** The event for a domain that is named and thereby claimed. None when the same person has claimed it before. */
function claimEvents(
  { claims }: OrganizationClaims,
  named: readonly string[],
  claimant: Claimant | null,
): OrganizationEvent[] {
  if (claimant === null || !named.includes(claimant.domain)) return [];
  const { domain, user } = claimant;
  if (claims.some((one) => one.domain === domain && one.user === user)) return [];
  return [{ type: 'OrganizationEmailDomainClaimed', data: { domain, user } }];
}

export type Change = { [K in keyof OrganizationSettings]?: OrganizationSettings[K] | undefined };

/** The event that records a new value of a setting. */
const settingEvents: { [K in keyof OrganizationSettings]: (value: OrganizationSettings[K]) => OrganizationEvent } = {
  title: (title) => ({ type: 'OrganizationRenamed', data: { title } }),
  hostname: (hostname) => ({ type: 'OrganizationHostnameChanged', data: { hostname } }),
  emailDomains: (emailDomains) => ({
    type: 'OrganizationEmailDomainsChanged',
    data: { emailDomains: [...emailDomains], claims: 'recorded' },
  }),
  defaultRole: (role) => ({ type: 'OrganizationDefaultRoleChanged', data: { role } }),
  site: (site) => ({ type: 'OrganizationDefaultContentChanged', data: { site } }),
  logo: (logo) => ({ type: 'OrganizationLogoChanged', data: { logo } }),
  ai: (on) => ({ type: on ? 'OrganizationAIEnabled' : 'OrganizationAIDisabled', data: {} }),
  inviteLinks: (on) => ({ type: on ? 'OrganizationInviteLinksEnabled' : 'OrganizationInviteLinksDisabled', data: {} }),
  mergeRules: (rules) => ({ type: 'OrganizationMergeRulesChanged', data: { rules: [...rules] } }),
};

/**
 * Changes settings: one event for each setting with another value, and one for a domain that the claimant claims by
 * naming it.
 */
export function configure(state: Organization, change: Change, claimant: Claimant | null = null): OrganizationEvent[] {
  if (state.status !== 'active') throw new AppError('not_found');
  const record = <K extends keyof OrganizationSettings>(name: K): OrganizationEvent[] => {
    const value = change[name];
    return value === undefined || JSON.stringify(value) === JSON.stringify(state[name])
      ? []
      : [settingEvents[name](value)];
  };
  return [
    ...(Object.keys(settingEvents) as (keyof OrganizationSettings)[]).flatMap(record),
    ...claimEvents(state, change.emailDomains ?? [], claimant),
  ];
}

/**
 * Changes settings with a hostname that was reserved in exchange for `from`. It is refused when the organization has
 * another hostname by now, whose reservation would never be released.
 */
export function changeHostname(
  state: Organization,
  from: string,
  change: Change,
  claimant: Claimant | null = null,
): OrganizationEvent[] {
  if (state.status === 'active' && state.hostname !== from) throw new AppError('conflict', [], { retryAfter: 1 });
  return configure(state, change, claimant);
}

/** An organization shows first the site that it was created with. Returns no event if it shows another site by now. */
export function showFirst(state: Organization, site: string): OrganizationEvent[] {
  return state.status === 'active' && state.site === null
    ? [{ type: 'OrganizationDefaultContentChanged', data: { site } }]
    : [];
}

/** A deleted site is shown no more. */
export function forgetSite(state: Organization, site: string): OrganizationEvent[] {
  return state.status === 'active' && state.site === site
    ? [{ type: 'OrganizationDefaultContentChanged', data: { site: null } }]
    : [];
}

/** Deletes an organization whose roster is closed. No event when it is deleted. */
export function remove(state: Organization): OrganizationEvent[] {
  return state.status === 'active' ? [{ type: 'OrganizationDeleted', data: {} }] : [];
}
