import {
  noSSO,
  organizationEventSchemas,
  ssoEventSchemas,
  ssoFactsAfter,
  type MemberRole,
  type OrganizationMergeRules,
} from '@scriptorium/contracts';
import { defineEvents, projection, type EventOf, type Recorded } from '@scriptorium/event-sourcing';
import { type OrganizationFacts } from './place.js';

/** The facts about an organization that other services need. */
export interface OrganizationFactDocument extends OrganizationFacts {
  hostname: string;
  /** The default role of new members; `null` for guests. */
  defaultRole: MemberRole | null;
  /** Whether texts of the organization may be sent to language models. */
  ai: boolean;
  mergeRules: OrganizationMergeRules['rules'];
}

const organizationEvents = defineEvents(organizationEventSchemas).pick(
  'OrganizationCreated',
  'OrganizationHostnameChanged',
  'OrganizationDefaultRoleChanged',
  'OrganizationAIEnabled',
  'OrganizationAIDisabled',
  'OrganizationMergeRulesChanged',
  'OrganizationDeleted',
);
const ssoEvents = defineEvents(ssoEventSchemas).pick(
  'SAMLProviderCreated',
  'SAMLProviderConfigured',
  'SAMLProviderDeleted',
  'OrganizationSSOEnforcementEnabled',
  'OrganizationSSOEnforcementDisabled',
);
type Consumed = Recorded<EventOf<typeof organizationEvents> | EventOf<typeof ssoEvents>>;

const newOrganization = { ...noSSO, deleted: false, defaultRole: null, ai: true, mergeRules: [] };

function evolve(doc: OrganizationFactDocument | null, event: Consumed): OrganizationFactDocument | null {
  if (event.type === 'OrganizationCreated') return { ...newOrganization, hostname: event.data.hostname };
  if (doc === null) return null;
  switch (event.type) {
    case 'OrganizationHostnameChanged':
      return { ...doc, hostname: event.data.hostname };
    case 'OrganizationDefaultRoleChanged':
      return { ...doc, defaultRole: event.data.role };
    case 'OrganizationAIEnabled':
      return { ...doc, ai: true };
    case 'OrganizationAIDisabled':
      return { ...doc, ai: false };
    case 'OrganizationMergeRulesChanged':
      return { ...doc, mergeRules: event.data.rules };
    // The deletion stays recorded, so that late events are not taken for those of a new organization.
    case 'OrganizationDeleted':
      return { ...newOrganization, hostname: '', deleted: true };
    default:
      return doc.deleted ? doc : ssoFactsAfter(doc, event);
  }
}

/** The facts of all organizations, including deleted ones. */
export const organizationFacts = projection({
  name: 'organization_fact',
  version: 1,
  entities: ['identity.organization', 'identity.sso'],
  events: [organizationEvents, ssoEvents],
  // The hostname of an address names the organization.
  indexes: [{ key: { hostname: 1 } }],
  id: (event) => event.entityId,
  evolve,
});
