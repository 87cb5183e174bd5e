import { blaming } from '@scriptorium/contracts';

/** What is known of the person who asks and of the organization that they ask. */
export interface DomainJoining {
  /** The person's verified address; null where there is none. */
  email: string | null;
  emailDomains: readonly string[];
  /** Verified addresses of the organization's active admins. */
  admins: readonly string[];
  /** Whether members have to sign in through the organization's own provider. */
  sso: boolean;
}

/** The part of an address behind the `@`, in lower case. */
export function domainOf(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1).toLowerCase();
}

/**
 * Whether an organization has a claim to a domain that it names: one of its admins has a verified address there
 * (decisions 1.5 "domain ownership"). Otherwise anybody could gather the people of any company.
 */
export function ownsDomain(domain: string, { emailDomains, admins }: Pick<DomainJoining, 'emailDomains' | 'admins'>): boolean {
  return emailDomains.includes(domain) && admins.some((email) => domainOf(email) === domain);
}

/**
 * @throws AppError `email_domain_not_allowed` when the person's domain does not admit them, `sso_required` when it does but
 * members have to come through single sign-on.
 */
export function checkDomainJoining(joining: DomainJoining): void {
  const { email, sso } = joining;
  if (email === null || !ownsDomain(domainOf(email), joining)) throw blaming('email_domain_not_allowed', 'params.organizationId');
  if (sso) throw blaming('sso_required', 'params.organizationId');
}
