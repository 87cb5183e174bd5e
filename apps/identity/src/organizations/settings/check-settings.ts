import {
  limitReached,
  requireNone,
  type InputOf,
  type Limits,
  type updateOrganizationById,
} from '@scriptorium/contracts';
import type { Change } from './organization.js';
import { isPublicMailDomain } from '../email-domains/public-mail-domains.js';

type Requested = InputOf<typeof updateOrganizationById>['body'];

/**
 * Checks the settings of a request and returns the change in the form in which it is recorded.
 * @throws AppError for the domain of a public mail provider, and more domains than the limit
 */
export function checkSettings(requested: Requested, limits: Pick<Limits, 'emailDomainsPerOrganization'>): Change {
  const { title, hostname, defaultRole, defaultContent, logo, ai, inviteLinks, mergeRules } = requested;
  return {
    title,
    hostname,
    defaultRole,
    logo,
    ai,
    inviteLinks,
    site: defaultContent === undefined ? undefined : (defaultContent?.site ?? null),
    emailDomains: requested.emailDomains && emailDomains(requested.emailDomains, limits.emailDomainsPerOrganization),
    mergeRules: mergeRules && (mergeRules.type === 'rules' ? mergeRules.rules : []),
  };
}

function emailDomains(requested: readonly string[], limit: number): string[] {
  const domains = [...new Set(requested.map((domain) => domain.toLowerCase()))];
  requireNone(
    requested.flatMap((domain, index) =>
      isPublicMailDomain(domain.toLowerCase())
        ? [{ path: `body.emailDomains[${index}]`, message: `${domain} belongs to a public mail provider` }]
        : [],
    ),
  );
  if (domains.length > limit) throw limitReached('emailDomainsPerOrganization', limit);
  return domains;
}
