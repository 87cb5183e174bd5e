import * as z from 'zod';
import { Id } from '../../kernel/common.js';
import { operation } from '../../kernel/operation.js';
import { EmailDomain, Hostname, Organization } from './organizations.js';

/** A subdomain of the product's own domain, and its target. */
export const Subdomain = z
  .object({
    object: z.literal('subdomain'),
    subdomain: Hostname,
    target: z.object({ type: z.literal('organization'), organization: Id }),
    isActive: z.boolean(),
  })
  .meta({ id: 'Subdomain' });
export type Subdomain = z.output<typeof Subdomain>;

const base = { service: 'identity', tag: 'Organizations' } as const;
const anybody = { resource: 'installation', view: ['anyone'], allow: ['anyone'] } as const;

export const joinOrganization = operation({
  ...base,
  id: 'joinOrganization',
  method: 'POST',
  path: '/orgs/{organizationId}/join',
  summary: 'Join an organization that admits the domain of the own verified address',
  access: { ...anybody, tokens: ['personal'] },
  params: z.object({ organizationId: Id }),
  reasons: ['email_domain_not_allowed', 'sso_required', 'organization_not_found', 'limit_reached'],
  // Asking to join is not forbidden to anybody, so the status is 400 and not 403.
  statuses: { sso_required: 400 },
});

export const getOrganizationsForEmailDomain = operation({
  ...base,
  id: 'getOrganizationsForEmailDomain',
  method: 'GET',
  path: '/email-domains/{emailDomain}/orgs',
  summary: 'List the organizations that name an e-mail domain; empty unless it is that of the own verified address',
  access: anybody,
  params: z.object({ emailDomain: EmailDomain }),
  response: z.object({ organizations: z.array(Organization) }).meta({ id: 'EmailDomainOrganizations' }),
});

export const getSubdomain = operation({
  ...base,
  id: 'getSubdomain',
  method: 'GET',
  path: '/subdomains/{subdomain}',
  summary: 'Find what a subdomain leads to',
  access: anybody,
  params: z.object({ subdomain: Hostname }),
  response: Subdomain,
});
