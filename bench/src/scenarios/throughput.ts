import { throughputScenario, type Line } from './line.js';
import { createTeams, getTeams, listMembers, renameTeams } from './requests.js';
import type { Scenario } from './scenario.js';

export const identityLines: readonly Line[] = [
  { name: 'get-team', summary: 'GET one team', goal: 1, perConnection: false, prepare: (seed) => () => getTeams(seed) },
  {
    name: 'list-members',
    summary: 'GET a list of 50 members',
    goal: 0.6,
    perConnection: false,
    prepare: (seed) => () => listMembers(seed),
  },
  {
    name: 'patch-team',
    summary: 'PATCH a team: durable, and read by its writer',
    goal: 0.28,
    cpuGoal: 1.5,
    perConnection: true,
    prepare: (seed) => (run) => renameTeams(seed, run),
  },
  {
    name: 'create-team',
    summary: 'Create a team: durable, and read by its writer',
    goal: 0.25,
    cpuGoal: 1.7,
    perConnection: false,
    prepare: (seed) => (run) => createTeams(seed, run),
  },
];

/** Reads and writes of identity. */
export const throughput: readonly Scenario[] = identityLines.map(throughputScenario);
