import type { Scope } from '@scriptorium/platform';
import { knownTeams } from './known-team.projection.js';

/** The ids of those of these teams that the organization has. */
export async function findTeams(
  { store }: Pick<Scope, 'store'>,
  organization: string,
  teams: readonly string[],
): Promise<ReadonlySet<string>> {
  const docs = await store.read(knownTeams).byIds(teams);
  return new Set(docs.filter((team) => team.organization === organization).map(({ _id }) => _id));
}
