import { blaming } from '@scriptorium/contracts';
import { domainOf, type DomainOwner, ownsDomain } from '../../read-models/index.js';

/** What is known of the person who asks and of the organization that they ask. */
export interface DomainJoining extends DomainOwner {
  /** The person's verified address; null where there is none. */
  email: string | null;
  /** Whether members have to sign in through the organization's own provider. */
  sso: boolean;
}

/**
 * @throws AppError `email_domain_not_allowed` when the person's domain does not admit them, `sso_required` when it does but
 * members have to come through single sign-on.
 */
export function checkDomainJoining(joining: DomainJoining): void {
  const { email, sso } = joining;
  if (email === null || !ownsDomain(domainOf(email), joining))
    throw blaming('email_domain_not_allowed', 'params.organizationId');
  if (sso) throw blaming('sso_required', 'params.organizationId');
}
