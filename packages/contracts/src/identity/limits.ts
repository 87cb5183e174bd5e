import { requestBounds, type LimitDeclaration } from '../kernel/limits.js';

/** The limits of identity. */
export const identityLimits = {
  membersPerOrganization: { preset: 50_000, of: 'members of an organization' },
  teamsPerOrganization: { preset: 5_000, of: 'teams of an organization' },
  membersPerTeam: { preset: 5_000, of: 'members of a team' },
  tokensPerUser: { preset: 100, of: 'personal tokens of a user', most: 10_000 },
  pendingInvitesPerOrganization: { preset: 1_000, of: 'pending invitations of an organization' },
  organizationsPerUser: { preset: 1_000, of: 'organizations that a user is a member of', most: 10_000 },
  emailDomainsPerOrganization: { preset: 100, of: 'e-mail domains of an organization', most: requestBounds.batch },
  linkInvitesPerOrganization: { preset: 100, of: 'links by which people can join an organization', most: 10_000 },
  signInTriesPerAccount: {
    preset: 5,
    of: 'failed sign-ins to an account without a wait, in a day',
    most: 1_000,
    inTime: true,
  },
  signInTriesPerAddress: {
    preset: 50,
    of: 'failed sign-ins and requested links of a network address without a wait, in an hour',
    inTime: true,
  },
  signInLinksPerMailbox: {
    preset: 3,
    of: 'links that are e-mailed to one address without a wait, in an hour',
    most: 1_000,
    inTime: true,
  },
  samlProvidersPerOrganization: { preset: 20, of: 'SAML providers of an organization', most: 100 },
} as const satisfies Readonly<Record<string, LimitDeclaration>>;
