import type { OrganizationClaims } from '../../events/index.js';

/** The part of an address after the last `@`, in lower case. */
export function domainOf(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1).toLowerCase();
}

/** An admin of an organization with a verified address. */
export interface AdminAddress {
  user: string;
  email: string;
}

/**
 * What decides which e-mail domains an organization owns. `admins`: active admins who have accepted their membership.
 */
export interface DomainOwner extends OrganizationClaims {
  emailDomains: readonly string[];
  admins: readonly AdminAddress[];
}

/**
 * Whether an organization owns an e-mail domain: it names the domain, and an admin with a verified address of the
 * domain has claimed it. An admin with such an address is not enough, since anybody can make anybody an admin of their
 * own organization. It is enough for domains that an earlier version recorded without claims.
 */
export function ownsDomain(domain: string, owner: DomainOwner): boolean {
  const { emailDomains, claims, unclaimedDomains, admins } = owner;
  if (!emailDomains.includes(domain)) return false;
  const claimants = new Set(claims.flatMap((claim) => (claim.domain === domain ? [claim.user] : [])));
  return admins.some(
    ({ user, email }) => domainOf(email) === domain && (claimants.has(user) || unclaimedDomains.includes(domain)),
  );
}
