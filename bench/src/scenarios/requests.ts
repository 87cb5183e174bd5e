import type { LoadRequest } from '../load/model.js';
import type { Seed } from '../product/seed.js';

const teamPath = ({ organization }: Seed, team: string) => `/v1/orgs/${organization}/teams/${team}`;

/** Reads of one team each. */
export function getTeams(seed: Seed): LoadRequest[] {
  return seed.teams.map((team) => ({ method: 'GET', path: teamPath(seed, team) }));
}

/** Renames of one team each; `run` keeps titles of one run apart from those of all others. */
export function renameTeams(seed: Seed, run: string): LoadRequest[] {
  return seed.teams.map((team, index) => ({
    method: 'PATCH',
    path: teamPath(seed, team),
    body: JSON.stringify({ title: `Team ${index} ${run} {n}` }),
  }));
}

/** The first page of members as it is by default: 50 of them. */
export function listMembers({ organization }: Seed): LoadRequest[] {
  return [{ method: 'GET', path: `/v1/orgs/${organization}/members` }];
}

/** Creates teams; `run` keeps titles of one run apart from those of all others. */
export function createTeams({ organization }: Seed, run: string): LoadRequest[] {
  const body = JSON.stringify({ title: `New ${run} {n}` });
  return [{ method: 'PUT', path: `/v1/orgs/${organization}/teams`, body }];
}

/** The first page of teams. */
export function listTeams({ organization }: Seed): LoadRequest[] {
  return [{ method: 'GET', path: `/v1/orgs/${organization}/teams` }];
}
