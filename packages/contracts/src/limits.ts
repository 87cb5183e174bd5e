import { AppError } from './errors.js';

/** Bounds of one request: part of the contract, the same in every installation. Beyond them a request is refused with 400. */
export const requestBounds = {
  /** Items of one page of a list. */
  pageSize: 1000,
  /** Entries of one request that adds or removes many. */
  batch: 500,
} as const;

/**
 * What can grow, and how far unless an installation is configured otherwise (ruling 7). Exceeding one answers 409
 * `limit_reached` and names it with its number.
 */
export const limits = {
  membersPerOrganization: 50_000,
  teamsPerOrganization: 5_000,
  membersPerTeam: 5_000,
  tokensPerUser: 100,
  pendingInvitesPerOrganization: 1_000,
  organizationsPerUser: 1_000,
  emailDomainsPerOrganization: 100,
  linkInvitesPerOrganization: 100,
  samlProvidersPerOrganization: 20,
} as const;

export type LimitName = keyof typeof limits;

/** The number of each limit, as an installation has them. */
export type Limits = Readonly<Record<LimitName, number>>;

/** The refusal that names an exceeded limit and the number that holds in this installation. */
export function limitReached(name: LimitName, limit: number): AppError {
  return new AppError('limit_reached', [{ path: name, message: `At most ${limit}` }]);
}
