import { describe, expect, it } from '@jest/globals';
import { denseVector, termVector, type Vector } from '../weights/vector.js';
import { assign } from './assign.js';
import { createCentroids } from './centroids.js';
import { mostIssuesOfChange } from './changes.js';
import { clusterIssues } from './cluster-issues.js';
import { mergesOf } from './merges.js';
import { gatherIssues, mergeClusters } from './regroup.js';
import { isGatherDue, thresholdsOf } from './thresholds.js';

const terms = (text: string, language = 'en'): Vector =>
  termVector(
    language,
    text.split(' ').map((term) => [term, 1] as const),
  );
const issue = (name: string, text: string) => ({ issue: name, vector: terms(text) });
const facts = (sizes: Record<number, number>, pinned: number[] = []) => ({
  sizeOf: (cluster: number) => sizes[cluster] ?? 0,
  isPinned: (cluster: number) => pinned.includes(cluster),
});

describe('a new issue', () => {
  it('joins the nearest cluster that is similar enough, otherwise it begins one', () => {
    const centroids = createCentroids('terms');
    const issues = [
      issue('a', 'card lost'),
      issue('b', 'rate wrong'),
      issue('c', 'card stolen'),
      issue('d', 'logo blue'),
    ];
    expect(clusterIssues(centroids, issues, { next: 7 })).toEqual([
      { type: 'created', cluster: 7 },
      { type: 'created', cluster: 8 },
      { type: 'created', cluster: 9 },
      {
        type: 'clustered',
        by: 'analysis',
        issues: [
          { issue: 'a', cluster: 7, similarity: 1 },
          { issue: 'b', cluster: 8, similarity: 1 },
          { issue: 'c', cluster: 7, similarity: expect.closeTo(0.5) },
          { issue: 'd', cluster: 9, similarity: 1 },
        ],
      },
    ]);
  });

  it('takes the smaller number of equally similar clusters', () => {
    for (const kind of ['terms', 'dense'] as const) {
      const centroids = createCentroids(kind);
      const vector = kind === 'terms' ? terms('card') : denseVector([1, 0]);
      for (const cluster of [5, 2, 9]) centroids.add(cluster, vector);
      expect(centroids.nearest(vector)?.cluster).toBe(2);
      expect(centroids.nearest(vector, (cluster) => cluster !== 2)?.cluster).toBe(5);
    }
  });

  it('waits without content, and where there is no place', () => {
    const centroids = createCentroids('terms');
    const options = { next: 2, thresholds: thresholdsOf('terms'), most: 1 };
    expect(assign(centroids, terms('').kind === 'terms' ? termVector('en', []) : terms(''), options).kind).toBe(
      'waits',
    );
    centroids.add(1, terms('card lost yesterday evening abroad somewhere'));
    expect(assign(centroids, terms('logo'), options)).toEqual({ kind: 'waits', reason: 'full' });
    expect(assign(centroids, terms('card gone away again today'), options)).toMatchObject({
      kind: 'joins',
      cluster: 1,
    });
    expect(clusterIssues(centroids, [issue('x', 'logo')], { next: 2, mostClusters: 1 })).toEqual([]);
  });

  it('does not join a cluster of another language', () => {
    const centroids = createCentroids('terms');
    centroids.add(1, terms('pin', 'en'));
    expect(assign(centroids, terms('pin', 'de'), { next: 2, thresholds: thresholdsOf('terms') })).toEqual({
      kind: 'begins',
      cluster: 2,
    });
  });

  it('stands in changes of at most 200', () => {
    const issues = Array.from({ length: 450 }, (_, index) => issue(String(index), 'card'));
    const changes = clusterIssues(createCentroids('terms'), issues, { next: 1 });
    expect(changes.map((change) => (change.type === 'clustered' ? change.issues.length : change.type))).toEqual([
      'created',
      mostIssuesOfChange,
      mostIssuesOfChange,
      50,
    ]);
  });

  it('is compared by the vector of a model, too', () => {
    const vectors = [
      [1, 0, 0],
      [0, 1, 0],
      [0.9, 0.1, 0],
    ].map((numbers, index) => ({
      issue: String(index),
      vector: denseVector(numbers),
    }));
    const changes = clusterIssues(createCentroids('dense'), vectors, { next: 1 });
    expect(changes.at(-1)).toMatchObject({ issues: [{ cluster: 1 }, { cluster: 2 }, { cluster: 1 }] });
  });
});

describe('centroids', () => {
  it.each([
    ['terms', terms('card lost'), terms('card stolen')],
    ['dense', denseVector([1, 0]), denseVector([1, 1])],
  ] as const)('of %s are what was added without what was taken away', (kind, first, second) => {
    const centroids = createCentroids(kind);
    centroids.add(1, first);
    const before = centroids.centroidOf(1);
    centroids.add(1, second);
    centroids.subtract(1, second);
    expect(JSON.stringify(centroids.centroidOf(1))).toBe(JSON.stringify(before));
    centroids.subtract(1, first);
    expect([centroids.has(1), centroids.size, centroids.nearest(first)]).toEqual([false, 0, undefined]);
  });

  it.each([
    ['terms', terms('card lost'), terms('card stolen')],
    ['dense', denseVector([1, 0]), denseVector([1, 1])],
  ] as const)('of %s come back as they were stored', (kind, first, second) => {
    const centroids = createCentroids(kind);
    centroids.add(1, first);
    centroids.add(3, second);
    centroids.add(3, first);
    const again = createCentroids(kind, centroids.stored());
    expect(again.stored()).toEqual(centroids.stored());
    expect(again.similarPairs(0)).toEqual(centroids.similarPairs(0));
    expect(again.numbers()).toEqual([1, 3]);
  });

  it('take vectors of their own kind and length', () => {
    expect(() => createCentroids('terms').add(1, denseVector([1]))).toThrow(TypeError);
    expect(() => createCentroids('dense').add(1, terms('card'))).toThrow(TypeError);
    const dense = createCentroids('dense');
    dense.add(1, denseVector([1, 2]));
    expect(() => dense.add(1, denseVector([1]))).toThrow(RangeError);
  });

  it('are weighed anew', () => {
    const centroids = createCentroids('terms');
    centroids.add(1, terms('card lost'));
    centroids.reweigh((term) => (term === 'card' ? 0 : 2));
    expect(centroids.centroidOf(1)).toEqual(terms('lost'));
  });
});

describe('clusters that are alike', () => {
  it('are merged, the most similar first, each once a night; pinned ones stay', () => {
    const pairs = [
      { first: 1, second: 2, similarity: 0.5 },
      { first: 2, second: 3, similarity: 0.9 },
      { first: 3, second: 4, similarity: 0.8 },
      { first: 5, second: 6, similarity: 0.4 },
      { first: 7, second: 8, similarity: 0.7 },
    ];
    expect(mergesOf(pairs, (cluster) => [6, 7, 8].includes(cluster))).toEqual([
      { into: 2, from: 3, similarity: 0.9 },
      { into: 6, from: 5, similarity: 0.4 },
    ]);
  });

  it('have one centroid afterwards', () => {
    const centroids = createCentroids('terms');
    centroids.add(1, terms('card lost'));
    centroids.add(2, terms('card stolen'));
    centroids.add(3, terms('logo blue'));
    expect(mergeClusters(centroids, 'terms', facts({}))).toEqual([{ type: 'merged', into: 1, from: [2] }]);
    expect(centroids.numbers()).toEqual([1, 3]);
    expect(centroids.nearest(terms('stolen'))?.cluster).toBe(1);
  });

  it('are gathered where they stay small, and removed when they are empty', () => {
    const centroids = createCentroids('terms');
    for (let count = 0; count < 6; count += 1) centroids.add(1, terms('card lost abroad'));
    centroids.add(2, terms('card blue green red'));
    centroids.add(3, terms('logo'));
    const issues = [
      { issue: 'a', cluster: 2, vector: terms('card blue green red') },
      { issue: 'b', cluster: 3, vector: terms('logo') },
    ];
    expect(gatherIssues(centroids, issues, facts({ 1: 6, 2: 1, 3: 1 }))).toEqual([
      { type: 'clustered', by: 'gather', issues: [{ issue: 'a', cluster: 1, similarity: expect.closeTo(0.289, 3) }] },
      { type: 'removed', cluster: 2 },
    ]);
    expect(gatherIssues(centroids, [], facts({}))).toEqual([]);
    expect(centroids.numbers()).toEqual([1, 3]);
  });

  it('are gathered when they have been quiet for long', () => {
    const cluster = { size: 5, isPinned: false, issuesSince: 1_000, daysSince: 0 };
    expect(isGatherDue(cluster)).toBe(true);
    expect(isGatherDue({ ...cluster, issuesSince: 10, daysSince: 28 })).toBe(true);
    expect(isGatherDue({ ...cluster, issuesSince: 10 })).toBe(false);
    expect(isGatherDue({ ...cluster, isPinned: true })).toBe(false);
    expect(isGatherDue({ ...cluster, size: 6 })).toBe(false);
  });
});
