import { describe, expect, it } from '@jest/globals';
import { createCentroids, seedTable } from '@scriptorium/clustering';
import { emptyKeyed, keyedPut } from '@scriptorium/event-sourcing';
import type { Clusters, LivingCluster } from '../clusters/index.js';
import { nightOf } from './analysis.timer.js';
import { CentroidCache } from './centroid-cache.process.js';
import { dueClusters } from './describe-step.process.js';
import { extractIssues } from './extract.task.js';
import { boundedTable } from './weights.operational.js';

const table = seedTable();

function stateWith(count: number, changes = 1): Clusters {
  const facts = { size: 1, pinned: false, described: null, byUser: false, corrected: false };
  const one = (number: number): LivingCluster => ({ number, ...facts, changedAt: 1, grewAt: 0, grewOn: '' });
  let living = emptyKeyed as Clusters['living'];
  for (let number = 1; number <= count; number += 1) living = keyedPut(living, `c${number}`, one(number));
  return { changes, next: count + 1, extracted: count, regroupedAt: 0, living, closed: false };
}

describe('the search for issues', () => {
  /** Parts with a text, and the numbers of those that were read. */
  const partsWith = (textOf: (n: number) => string) => {
    const read: number[] = [];
    const parts = Array.from({ length: 200 }, (_, n) => ({
      role: 'user' as const,
      get body() {
        read.push(n);
        return textOf(n);
      },
    }));
    return { read, parts };
  };

  it('reads no parts beyond its bounds', () => {
    const { read, parts } = partsWith((n) => `<p>The <b>invoice</b> number ${n} is wrong</p>`);
    const [found] = extractIssues({ conversations: [{ parts }], table, language: 'en' });
    expect(found?.length).toBeGreaterThan(0);
    expect(Math.max(...read)).toBeLessThanOrEqual(20);
  });

  it('reads no more of long parts than it uses', () => {
    const body = 'The invoice is wrong. '.repeat(2_900);
    const { read, parts } = partsWith(() => body);
    extractIssues({ conversations: [{ parts }], table, language: 'en' });
    expect(Math.max(...read)).toBeLessThanOrEqual(3);
  });
});

describe('the description of clusters', () => {
  it('ends, also when none of them can be described', () => {
    const state = stateWith(45);
    const seen: string[] = [];
    let after: number | undefined = 0;
    for (let step = 0; after !== undefined && step < 10; step += 1) {
      const { clusters, next } = dueClusters(state, after);
      seen.push(...clusters.map(({ id }) => id));
      after = next;
    }
    expect([after, seen.length, new Set(seen).size]).toEqual([undefined, 45, 45]);
  });
});

describe('a weight table', () => {
  it('has the most frequent terms, so many that they fit into a document', () => {
    const counts = Array.from({ length: 1_000 }, (_, n): [string, number] => [`term${n}`, 2_000 - n]);
    const languages = ['en', 'de'].map((name) => [name, { texts: 2_000, counts }] as const);
    const bounded = boundedTable({ version: 2, conversations: 2_000, languages }, 10_000);
    expect(JSON.stringify(bounded).length).toBeLessThan(10_200);
    for (const [, kept] of bounded.languages) {
      expect(kept.counts.length).toBeGreaterThan(100);
      expect(kept.counts[0]).toEqual(['term0', 2_000]);
    }
  });

  it('has no term of fewer than three texts', () => {
    const counts: [string, number][] = [
      ['often', 3],
      ['once', 2],
    ];
    const [[, kept] = []] = boundedTable({
      version: 2,
      conversations: 3,
      languages: [['en', { texts: 3, counts }]],
    }).languages;
    expect(kept?.counts).toEqual([['often', 3]]);
  });
});

describe('centroids in memory', () => {
  it('are those of the organizations that were analysed last', () => {
    const cache = new CentroidCache();
    const state = stateWith(1);
    const known = {
      centroids: createCentroids('terms'),
      version: 'terms-0',
      unstored: new Set<string>(),
    };
    for (let n = 0; n < 9; n += 1) cache.keep(`o${n}`, known, { state, touched: [] });
    expect([0, 1, 8].map((n) => cache.knows(`o${n}`, state, 'terms-0'))).toEqual([false, true, true]);
  });

  it('are few enough, counted by their bytes', () => {
    const cache = new CentroidCache();
    const stored = Array.from({ length: 6_000 }, (_, n) => ({
      cluster: n + 1,
      size: 1,
      sum: { kind: 'terms' as const, language: 'en', terms: [['a', 1]] as const },
    }));
    const state = stateWith(1);
    for (const name of ['a', 'b']) {
      const centroids = createCentroids('terms', stored);
      cache.keep(name, { centroids, version: 'terms-0', unstored: new Set() }, { state, touched: [] });
    }
    expect(['a', 'b'].map((name) => cache.knows(name, state, 'terms-0'))).toEqual([false, true]);
  });
});

describe('the night of an organization', () => {
  it('begins between 3:00 and 5:00 UTC, and not at the same moment for all', () => {
    const nights = Array.from({ length: 200 }, (_, n) => nightOf(`organization${n}`));
    expect(Math.min(...nights)).toBeGreaterThanOrEqual(3 * 3_600_000);
    expect(Math.max(...nights)).toBeLessThan(5 * 3_600_000);
    expect(new Set(nights).size).toBeGreaterThan(190);
    expect(nightOf('organization7')).toBe(nights[7]);
  });
});
