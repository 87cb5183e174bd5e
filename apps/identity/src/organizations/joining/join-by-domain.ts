import { blaming } from '@scriptorium/contracts';
import { domainOf, type DomainOwner, ownsDomain } from '../email-domains/email-domains.js';

/** What decides whether a person may join an organization by the domain of their address. */
export interface DomainJoining extends DomainOwner {
  /** The verified address of the person, or null. */
  email: string | null;
  /** Whether members have to sign in through the organization's own provider. */
  sso: boolean;
}

/**
 * Refuses a person who may not join by the domain of their address.
 * @throws AppError `email_domain_not_allowed` when the organization does not own the domain, `sso_required` when it
 * does but enforces single sign-on
 */
export function checkDomainJoining(joining: DomainJoining): void {
  const { email, sso } = joining;
  if (email === null || !ownsDomain(domainOf(email), joining))
    throw blaming('email_domain_not_allowed', 'params.organizationId');
  if (sso) throw blaming('sso_required', 'params.organizationId');
}
