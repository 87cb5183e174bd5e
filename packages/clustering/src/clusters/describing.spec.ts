import { describe, expect, it } from '@jest/globals';
import { issuesOf } from '../issues/issues-of.js';
import { seedTable } from '../weights/seed-table.js';
import { sharedTerms, termVector } from '../weights/vector.js';
import { vectorOf, weightsOf } from '../weights/weights.js';
import { createCentroids } from './centroids.js';
import { countChanges, countsAfter, noCounts, sourceTypeOf } from './counts.js';
import { clusterIcon, isRelabelDue, labelOf } from './label.js';
import { weekOf, weeklyPulseOf } from './pulse.js';

const weights = weightsOf(seedTable());
const issues = (...texts: string[]) =>
  texts
    .flatMap((text) => issuesOf({ parts: [{ role: 'user', text }] }, { language: 'en', weights }))
    .map((issue) => ({ ...issue, vector: vectorOf(issue.terms, weights) }));

function labelled(...texts: string[]) {
  const centroids = createCentroids('terms');
  const all = issues(...texts);
  for (const { vector } of all) centroids.add(1, vector);
  const centroid = centroids.centroidOf(1);
  return centroid === undefined ? undefined : labelOf(centroid, all);
}

describe('a label', () => {
  it('has the strongest words as people wrote them', () => {
    expect(
      labelled('Exchange rate was wrong for my cash', 'The exchange rate is wrong', 'Why is the exchange rate wrong?'),
    ).toMatchObject({ label: 'exchange rate is wrong', icon: clusterIcon });
    expect(labelled('The ATM ate my bank card', 'An ATM kept the card')?.label).toContain('ATM');
  });

  it('has nothing personal, and is there without words', () => {
    const made = labelled('Mail to ann@example.org bounces', 'ann@example.org bounces all mail');
    expect(JSON.stringify(made)).not.toContain('example.org');
    const nothing = termVector('en', []);
    expect(labelOf(nothing, issues('Card is lost')).label).toBe('Card is lost');
    expect(labelOf(nothing, [])).toEqual({ label: '', summary: '', icon: clusterIcon });
  });

  it('is made again when the size has doubled', () => {
    expect([isRelabelDue(1, undefined), isRelabelDue(7, 4), isRelabelDue(8, 4), isRelabelDue(0, undefined)]).toEqual([
      true,
      false,
      true,
      false,
    ]);
  });

  it('is explained by the terms that an issue shares with its cluster', () => {
    const [a, b] = issues('The exchange rate is wrong', 'Exchange rate of yesterday');
    if (a === undefined || b === undefined) throw new Error('There are no issues');
    expect(sharedTerms(a.vector, b.vector)).toEqual(expect.arrayContaining(['exchang', 'rate', 'exchang rate']));
  });
});

describe('a pulse', () => {
  it.each([
    ['2026-11-28T12:00:00Z', '2026-W48'],
    ['2026-01-01T00:00:00Z', '2026-W01'],
    ['2027-01-01T00:00:00Z', '2026-W53'],
    ['2024-12-30T00:00:00Z', '2025-W01'],
    ['2021-01-03T23:59:59Z', '2020-W53'],
    ['2021-01-04T00:00:00Z', '2021-W01'],
  ])('counts %s in %s', (moment, week) => expect(weekOf(new Date(moment))).toBe(week));

  it('has 13 weeks, the present one last, across years', () => {
    const weeks = { '2025-W44': 9, '2025-W45': 1, '2026-W01': 2, '2026-W05': 3, '2026-W06': 4 };
    expect(weeklyPulseOf(weeks, new Date('2026-01-28T00:00:00Z'))).toEqual([1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 3]);
    expect(weeklyPulseOf({}, new Date('2026-01-28T00:00:00Z'))).toEqual(new Array(13).fill(0));
  });
});

describe('counts', () => {
  const place = { issue: 'a', conversation: 'c', week: '2026-W48', source: 'api', cluster: 1 };

  it('count a conversation once, however many of its issues a cluster has', () => {
    const both = [place, { ...place, issue: 'b' }];
    const added = countChanges([], both).get(1);
    expect(added).toEqual({ issues: 2, conversations: 1, weeks: { '2026-W48': 2 }, bySource: { api: 2 } });
    expect(countChanges(both, [place]).get(1)).toMatchObject({ issues: -1, bySource: { api: -1 } });
    expect(countChanges(both, [place]).get(1)?.conversations).toBe(0);
    expect(countChanges(both, both).size).toBe(0);
  });

  it('fall by what was recorded, and not below nothing', () => {
    const gone = countChanges([place], []).get(1) ?? noCounts;
    const one = countsAfter(noCounts, countChanges([], [place]).get(1) ?? noCounts);
    expect(countsAfter(one, gone)).toEqual(noCounts);
    expect(countsAfter(noCounts, gone)).toEqual(noCounts);
  });

  it('know the type of a source', () => {
    expect(['integration:intercom:i1', 'api', 'email', 'integration:'].map(sourceTypeOf)).toEqual([
      'intercom',
      'api',
      'email',
      'integration:',
    ]);
  });
});
