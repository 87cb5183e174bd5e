import { AppError } from './errors.js';

/**
 * Bounds of everything that can grow (ruling 7). Exceeding one answers 409 `limit_reached` and names it.
 */
export const limits = {
  /** Items of one page of a list. */
  pageSize: 1000,
  membersPerOrganization: 50_000,
  teamsPerOrganization: 5_000,
  membersPerTeam: 5_000,
  tokensPerUser: 100,
  pendingInvitesPerOrganization: 1_000,
  organizationsPerUser: 1_000,
  emailDomainsPerOrganization: 100,
  /** Entries of one request that adds or removes many. */
  batch: 500,
} as const;

export type LimitName = keyof typeof limits;

/** The refusal that names an exceeded limit and its bound. */
export function limitReached(name: LimitName): AppError {
  return new AppError('limit_reached', [{ path: name, message: `At most ${limits[name]}` }]);
}
