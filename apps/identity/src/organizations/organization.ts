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

export type Organization = { status: 'absent' } | ({ status: 'active'; createdBy: string } & OrganizationSettings);

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
  return state.status === 'active' ? { ...state, ...settingsChanged(event) } : state;
}

type SettingsEvent = Exclude<OrganizationEvent, { type: 'OrganizationCreated' }>;

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
  initial: { status: 'absent' } as Organization,
  evolve,
});

export function create(
  state: Organization,
  input: { title: string; hostname: string; emailDomains: readonly string[]; createdBy: string },
): OrganizationEvent[] {
  if (state.status !== 'absent') throw new AppError('already_exists');
  return [{ type: 'OrganizationCreated', data: { ...input, emailDomains: [...input.emailDomains] } }];
}

/** One event for each setting that differs; nothing for those that stay. */
export function configure(state: Organization, change: { [K in keyof OrganizationSettings]?: OrganizationSettings[K] | undefined }): OrganizationEvent[] {
  if (state.status !== 'active') throw new AppError('not_found');
  const events: OrganizationEvent[] = [];
  const differs = <K extends keyof OrganizationSettings>(name: K): boolean =>
    change[name] !== undefined && JSON.stringify(change[name]) !== JSON.stringify(state[name]);
  const { title, hostname, emailDomains, defaultRole, site, logo, ai, inviteLinks, mergeRules } = change;
  if (title !== undefined && differs('title')) events.push({ type: 'OrganizationRenamed', data: { title } });
  if (hostname !== undefined && differs('hostname')) events.push({ type: 'OrganizationHostnameChanged', data: { hostname } });
  if (emailDomains !== undefined && differs('emailDomains')) {
    events.push({ type: 'OrganizationEmailDomainsChanged', data: { emailDomains: [...emailDomains] } });
  }
  if (defaultRole !== undefined && differs('defaultRole')) {
    events.push({ type: 'OrganizationDefaultRoleChanged', data: { role: defaultRole } });
  }
  if (site !== undefined && differs('site')) events.push({ type: 'OrganizationDefaultContentChanged', data: { site } });
  if (logo !== undefined && differs('logo')) events.push({ type: 'OrganizationLogoChanged', data: { logo } });
  if (differs('ai')) events.push({ type: ai === true ? 'OrganizationAIEnabled' : 'OrganizationAIDisabled', data: {} });
  if (differs('inviteLinks')) {
    events.push({ type: inviteLinks === true ? 'OrganizationInviteLinksEnabled' : 'OrganizationInviteLinksDisabled', data: {} });
  }
  if (mergeRules !== undefined && differs('mergeRules')) {
    events.push({ type: 'OrganizationMergeRulesChanged', data: { rules: [...mergeRules] } });
  }
  return events;
}
