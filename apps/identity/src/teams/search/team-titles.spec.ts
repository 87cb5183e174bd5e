import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createTeamTitles, pageAfter } from './team-titles.js';

const ids = fc.constantFrom('a', 'b', 'c', 'd', 'e');
const changes = fc.array(fc.tuple(ids, fc.option(fc.string({ unit: fc.constantFrom('x', 'y'), maxLength: 3 }))), {
  maxLength: 30,
});

describe('titles of teams in memory', () => {
  it('are found by what they contain, in order, as a search through all of them finds them', () => {
    fc.assert(
      fc.property(changes, changes, fc.constantFrom('', 'x', 'xy', 'yyy'), (first, second, text) => {
        const titles = createTeamTitles();
        const all = new Map<string, string>();
        const apply = ([id, titleKey]: [string, string | null]): void => {
          titles.apply(id, titleKey === null ? null : { titleKey });
          if (titleKey === null) all.delete(id);
          else all.set(id, titleKey);
        };
        const expected = () =>
          [...all]
            .map(([id, key]) => ({ id, key }))
            .filter(({ key }) => key.includes(text))
            .sort((a, b) => (a.key + ' ' + a.id < b.key + ' ' + b.id ? -1 : 1));
        first.forEach(apply);
        expect(titles.containing(text)).toEqual(expected());
        second.forEach(apply);
        expect(titles.containing(text)).toEqual(expected());
        expect(titles.bytes()).toBe([...all].reduce((sum, [id, key]) => sum + 200 + 2 * (id.length + key.length), 0));
      }),
    );
  });

  it('are paged behind a team, also one that is gone', () => {
    const teams = ['k', 'l', 'n'].map((key) => ({ id: '1', key }));
    expect(pageAfter(teams, 2, undefined)).toEqual(teams.slice(0, 2));
    expect(pageAfter(teams, 2, { id: '1', key: 'l' })).toEqual(teams.slice(2));
    expect(pageAfter(teams, 2, { id: '1', key: 'm' })).toEqual(teams.slice(2));
  });
});
