import type { MemberRole, OrganizationMergeRules } from '@scriptorium/contracts';
import { unchanged } from '@scriptorium/event-sourcing';
import type { OrganizationEvent } from './organization.events.js';

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

/** The default settings of a new organization. */
export const newOrganization = {
  defaultRole: null,
  site: null,
  logo: null,
  ai: true,
  inviteLinks: true,
  mergeRules: [],
} as const;

type SettingsEvent = Exclude<OrganizationEvent, { type: 'OrganizationCreated' | 'OrganizationDeleted' }>;

/** Who has claimed the e-mail domains that an organization names. */
export interface OrganizationClaims {
  /** Which user has claimed which domain. */
  claims: readonly { domain: string; user: string }[];
  /** Domains that were named with an earlier version, which recorded no claims. */
  unclaimedDomains: readonly string[];
}

export const noClaims: OrganizationClaims = { claims: [], unclaimedDomains: [] };

/** The claims after an event. A domain that is no longer named is no longer claimed. */
export function claimsChanged(
  { claims, unclaimedDomains }: OrganizationClaims,
  event: OrganizationEvent,
): OrganizationClaims {
  switch (event.type) {
    case 'OrganizationCreated':
      return event.data.claims === undefined ? { claims: [], unclaimedDomains: event.data.emailDomains } : noClaims;
    case 'OrganizationEmailDomainsChanged': {
      const { emailDomains, claims: recorded } = event.data;
      const kept = recorded === undefined ? emailDomains : unclaimedDomains;
      return {
        claims: claims.filter(({ domain }) => emailDomains.includes(domain)),
        unclaimedDomains: kept.filter((domain) => emailDomains.includes(domain)),
      };
    }
    case 'OrganizationEmailDomainClaimed':
      return { claims: [...claims, event.data], unclaimedDomains };
    default:
      return { claims, unclaimedDomains };
  }
}

/** The settings that an event changes, for the aggregate and the read model. */
export function settingsChanged(event: SettingsEvent): Partial<OrganizationSettings> {
  switch (event.type) {
    case 'OrganizationRenamed':
    case 'OrganizationHostnameChanged':
    case 'OrganizationDefaultContentChanged':
    case 'OrganizationLogoChanged':
      return event.data;
    case 'OrganizationEmailDomainsChanged':
      return { emailDomains: event.data.emailDomains };
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
    case 'OrganizationEmailDomainClaimed':
      return {};
    default:
      return unchanged({}, event);
  }
}
