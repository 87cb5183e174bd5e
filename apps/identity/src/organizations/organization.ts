import { AppError, type MemberRole, type OrganizationMergeRules } from '@scriptorium/contracts';
import { defineAggregate, unchanged } from '@scriptorium/event-sourcing';
import { organizationEvents, type OrganizationEvent } from './organization.events.js';

export interface OrganizationSettings {
  title: string;
  hostname: string;
  emailDomains: readonly string[];
  defaultRole: MemberRole | null;
  site: string | null;
  logo: string | null;
  ai: boolean;
  inviteLinks: boolean;
  mergeRules: readonly OrganizationMergeRules['rules'][number][];
}

export type Organization =
  | { status: 'absent' }
  | ({ status: 'active'; createdBy: string } & OrganizationSettings)
  | { status: 'deleted'; hostname: string };

/** Settings of an organization that nobody has changed yet (decisions 1.5 "new organization"). */
export const newOrganization = {
  defaultRole: null,
  site: null,
  logo: null,
  ai: true,
  inviteLinks: true,
  mergeRules: [],
} as const;

function evolve(state: Organization, event: OrganizationEvent): Organization {
  if (event.type === 'OrganizationCreated') return { status: 'active', ...newOrganization, ...event.data };
  if (state.status !== 'active') return state;
  return event.type === 'OrganizationDeleted' ? { status: 'deleted', hostname: state.hostname } : { ...state, ...settingsChanged(event) };
}

type SettingsEvent = Exclude<OrganizationEvent, { type: 'OrganizationCreated' | 'OrganizationDeleted' }>;

/** What an event changes of the settings; also what the read model changes. */
export function settingsChanged(event: SettingsEvent): Partial<OrganizationSettings> {
  switch (event.type) {
    case 'OrganizationRenamed':
    case 'OrganizationHostnameChanged':
    case 'OrganizationEmailDomainsChanged':
    case 'OrganizationDefaultContentChanged':
    case 'OrganizationLogoChanged':
      return event.data;
    case 'OrganizationDefaultRoleChanged':
      return { defaultRole: event.data.role };
    case 'OrganizationAIEnabled':
      return { ai: true };
    case 'OrganizationAIDisabled':
      return { ai: false };
    case 'OrganizationInviteLinksEnabled':
      return { inviteLinks: true };
    case 'OrganizationInviteLinksDisabled':
      return { inviteLinks: false };
    case 'OrganizationMergeRulesChanged':
      return { mergeRules: event.data.rules };
    default:
      return unchanged({}, event);
  }
}

export const organization = defineAggregate({
  service: 'identity',
  entity: 'organization',
  events: organizationEvents,
  initial: { status: 'absent' },
  evolve,
});

export function create(
  state: Organization,
  input: { title: string; hostname: string; emailDomains: readonly string[]; createdBy: string },
): OrganizationEvent[] {
  if (state.status !== 'absent') throw new AppError('already_exists');
  return [{ type: 'OrganizationCreated', data: { ...input, emailDomains: [...input.emailDomains] } }];
}

export type Change = { [K in keyof OrganizationSettings]?: OrganizationSettings[K] | undefined };

/** The event that records a setting's new value. */
const recorded: { [K in keyof OrganizationSettings]: (value: OrganizationSettings[K]) => OrganizationEvent } = {
  title: (title) => ({ type: 'OrganizationRenamed', data: { title } }),
  hostname: (hostname) => ({ type: 'OrganizationHostnameChanged', data: { hostname } }),
  emailDomains: (emailDomains) => ({ type: 'OrganizationEmailDomainsChanged', data: { emailDomains: [...emailDomains] } }),
  defaultRole: (role) => ({ type: 'OrganizationDefaultRoleChanged', data: { role } }),
  site: (site) => ({ type: 'OrganizationDefaultContentChanged', data: { site } }),
  logo: (logo) => ({ type: 'OrganizationLogoChanged', data: { logo } }),
  ai: (on) => ({ type: on ? 'OrganizationAIEnabled' : 'OrganizationAIDisabled', data: {} }),
  inviteLinks: (on) => ({ type: on ? 'OrganizationInviteLinksEnabled' : 'OrganizationInviteLinksDisabled', data: {} }),
  mergeRules: (rules) => ({ type: 'OrganizationMergeRulesChanged', data: { rules: [...rules] } }),
};

/** One event for each setting that differs; nothing for those that stay. */
export function configure(state: Organization, change: Change): OrganizationEvent[] {
  if (state.status !== 'active') throw new AppError('not_found');
  const record = <K extends keyof OrganizationSettings>(name: K): OrganizationEvent[] => {
    const value = change[name];
    return value === undefined || JSON.stringify(value) === JSON.stringify(state[name]) ? [] : [recorded[name](value)];
  };
  return (Object.keys(recorded) as (keyof OrganizationSettings)[]).flatMap(record);
}

/**
 * The same for a hostname that was reserved in exchange for `from`: refused when the organization has moved on from there,
 * since the reservation that it holds now would be left behind.
 */
export function moveTo(state: Organization, from: string, change: Change): OrganizationEvent[] {
  if (state.status === 'active' && state.hostname !== from) throw new AppError('conflict', [], { retryAfter: 1 });
  return configure(state, change);
}

/** Deletes an organization whose roster is closed. Nothing when it is deleted. */
export function remove(state: Organization): OrganizationEvent[] {
  return state.status === 'active' ? [{ type: 'OrganizationDeleted', data: {} }] : [];
}
