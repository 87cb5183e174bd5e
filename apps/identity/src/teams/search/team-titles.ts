import type { IndexedGroup } from '@scriptorium/event-sourcing';

/** A team of a list that is sorted by title. */
export interface TitledTeam {
  id: string;
  /** The title as it is sorted and searched by. */
  key: string;
}

/** The titles of the teams of one organization. */
export interface TeamTitles extends IndexedGroup<{ titleKey: string }> {
  /** The teams whose title contains `text`, which is a sort key, by title and id. */
  containing(text: string): readonly TitledTeam[];
}

/** The approximate size of an entry besides its texts. */
const entryBytes = 200;

/** Titles of the teams of an organization in memory. Pure. */
export function createTeamTitles(): TeamTitles {
  const keys = new Map<string, string>();
  let bytes = 0;
  // All in order; `undefined` until somebody asks.
  let sorted: TitledTeam[] | undefined;
  const remove = (id: string, key: string): void => {
    bytes -= bytesOf(id, key);
    keys.delete(id);
    sorted?.splice(placeOf(sorted, { id, key }), 1);
  };
  const add = (team: TitledTeam): void => {
    bytes += bytesOf(team.id, team.key);
    keys.set(team.id, team.key);
    sorted?.splice(placeOf(sorted, team), 0, team);
  };
  return {
    apply(id, doc) {
      const known = keys.get(id);
      if (known === doc?.titleKey) return;
      if (known !== undefined) remove(id, known);
      if (doc !== null) add({ id, key: doc.titleKey });
    },
    has: (id) => keys.has(id),
    bytes: () => bytes,
    containing(text) {
      sorted ??= [...keys].map(([id, key]) => ({ id, key })).sort(compareTeams);
      return sorted.filter(({ key }) => key.includes(text));
    },
  };
}

function bytesOf(id: string, key: string): number {
  return entryBytes + 2 * (id.length + key.length);
}

/** By title, and by id where titles are the same. */
function compareTeams(a: TitledTeam, b: TitledTeam): number {
  return compareTexts(a.key, b.key) || compareTexts(a.id, b.id);
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The place of the first team that is not before this one. */
function placeOf(sorted: readonly TitledTeam[], team: TitledTeam): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const other = sorted[middle];
    if (other !== undefined && compareTeams(other, team) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** At most `limit` teams behind a cursor. */
export function pageAfter(
  teams: readonly TitledTeam[],
  limit: number,
  after: TitledTeam | undefined,
): readonly TitledTeam[] {
  if (after === undefined) return teams.slice(0, limit);
  const place = placeOf(teams, after);
  const start = teams[place]?.id === after.id && teams[place].key === after.key ? place + 1 : place;
  return teams.slice(start, start + limit);
}
