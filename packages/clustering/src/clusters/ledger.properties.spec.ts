import { describe, expect, it } from '@jest/globals';
import { parameters } from '@scriptorium/toolchain/generated';
import fc from 'fast-check';
import { termVector, type Vector } from '../weights/vector.js';
import type { Centroids } from './centroid.js';
import { createCentroids } from './centroids.js';
import { clusterIssues } from './cluster-issues.js';
import { noCounts, type ClusterCounts, type IssuePlace } from './counts.js';
import { applyChange, createLedger, livingCluster, type Ledger, type LedgerChange } from './ledger.js';
import { gatherIssues, mergeClusters } from './regroup.js';

const words = ['card', 'lost', 'rate', 'wrong', 'logo', 'blue', 'pin', 'export'];

/** What may happen; numbers are reduced to what is there. */
type Step =
  | { kind: 'ingest'; conversation: number; texts: number[][]; week: number; source: string }
  | { kind: 'delete'; conversation: number }
  | { kind: 'merge'; from: number; into: number }
  | { kind: 'night' };

const number = fc.nat(30);
const text = fc.array(fc.nat(words.length - 1), { minLength: 1, maxLength: 4 });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('ingest' as const),
      conversation: fc.nat(11),
      texts: fc.array(text, { maxLength: 3 }),
      week: fc.nat(3),
      source: fc.constantFrom('api', 'email', '__proto__', 'constructor'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const), conversation: fc.nat(11) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('merge' as const), from: number, into: number }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'night' as const }) },
);

interface World {
  ledger: Ledger;
  centroids: Centroids;
  vectors: Map<string, Vector>;
  changes: LedgerChange[];
}

function record(world: World, changes: readonly LedgerChange[]): void {
  for (const change of changes) {
    applyChange(world.ledger, change);
    world.changes.push(change);
  }
}

/** The issues of a living cluster, in the order of their ids. */
function issuesOfCluster(ledger: Ledger, cluster: number): IssuePlace[] {
  const found: IssuePlace[] = [];
  for (const issues of ledger.conversations.values())
    for (const issue of issues.values()) if (issue.cluster === cluster) found.push(issue);
  return found.sort((a, b) => (a.issue < b.issue ? -1 : 1));
}

const vectorOf = (chosen: readonly number[]): Vector =>
  termVector('en', new Map(chosen.map((index) => [words[index] ?? '', 1] as const)));
const placesOf = ({ ledger }: World, conversation: string) => [
  ...(ledger.conversations.get(conversation)?.values() ?? []),
];
const placed = (world: World, issue: string) => ({
  issue,
  cluster: placesOf(world, world.ledger.issues.get(issue) ?? '').find((place) => place.issue === issue)?.cluster,
  vector: world.vectors.get(issue) ?? vectorOf([]),
});

function retract(world: World, conversation: string): void {
  const issues = placesOf(world, conversation);
  for (const { issue, cluster } of issues)
    if (cluster !== undefined) world.centroids.subtract(cluster, placed(world, issue).vector);
  record(world, [{ type: 'retracted', issues: issues.map(({ issue }) => issue) }]);
  for (const { cluster } of issues)
    if (cluster !== undefined && world.ledger.clusters.get(cluster)?.issues === 0) {
      world.centroids.remove(cluster);
      record(world, [{ type: 'removed', cluster }]);
    }
}

function ingest(world: World, given: Extract<Step, { kind: 'ingest' }>): void {
  const conversation = `c${given.conversation}`;
  retract(world, conversation);
  const issues = given.texts.map((chosen, index) => ({
    issue: `${conversation}-${world.changes.length}-${index}`,
    vector: vectorOf(chosen),
  }));
  for (const { issue, vector } of issues) world.vectors.set(issue, vector);
  const place = { conversation, week: `2026-W0${given.week + 1}`, source: given.source };
  record(world, [{ type: 'extracted', issues: issues.map(({ issue }) => ({ issue, ...place })) }]);
  record(world, clusterIssues(world.centroids, issues, { next: world.ledger.next }));
}

function night(world: World): void {
  const facts = {
    sizeOf: (cluster: number) => world.ledger.clusters.get(cluster)?.issues ?? 0,
    isPinned: (cluster: number) => cluster % 5 === 0,
  };
  record(world, mergeClusters(world.centroids, 'terms', facts));
  const small = [...world.ledger.clusters.keys()].filter((cluster) => facts.sizeOf(cluster) <= 1);
  const issues = small.flatMap((cluster) =>
    issuesOfCluster(world.ledger, cluster).map(({ issue }) => ({ ...placed(world, issue), cluster })),
  );
  record(world, gatherIssues(world.centroids, issues, facts));
}

function take(world: World, given: Step): void {
  const living = [...world.ledger.clusters.keys()];
  const chosen = (index: number): number => living[index % Math.max(living.length, 1)] ?? 0;
  switch (given.kind) {
    case 'ingest':
      return ingest(world, given);
    case 'delete':
      return retract(world, `c${given.conversation}`);
    case 'night':
      return night(world);
    case 'merge': {
      const [from, into] = [chosen(given.from), chosen(given.into)];
      if (from === into) return;
      world.centroids.unite(into, from);
      return record(world, [{ type: 'merged', into, from: [from] }]);
    }
  }
}

/** Counts from the listed issues, in the plainest way. */
function counted(world: World, cluster: number): ClusterCounts {
  const issues = issuesOfCluster(world.ledger, cluster);
  const numbers = (keys: string[]) =>
    Object.fromEntries([...new Set(keys)].map((key) => [key, keys.filter((other) => other === key).length]));
  return {
    issues: issues.length,
    conversations: new Set(issues.map(({ conversation }) => conversation)).size,
    weeks: numbers(issues.map(({ week }) => week)),
    bySource: numbers(issues.map(({ source }) => source)),
  };
}

describe('after any sequence of ingest, replace, delete, merge and nights', () => {
  const property = fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
    const world: World = {
      ledger: createLedger(),
      centroids: createCentroids('terms'),
      vectors: new Map(),
      changes: [],
    };
    for (const given of steps) {
      take(world, given);
      for (const [cluster, counts] of world.ledger.clusters) expect(counts).toEqual(counted(world, cluster));
      const sum = [...world.ledger.clusters.values()].reduce((total, { issues }) => total + issues, 0);
      expect(sum).toBe(world.ledger.issues.size);
    }
    const rebuilt = createLedger();
    for (const change of world.changes) applyChange(rebuilt, change);
    expect(rebuilt).toEqual(world.ledger);
    for (const from of world.ledger.mergedInto.keys()) {
      const living = livingCluster(world.ledger, from);
      expect(living === undefined || world.ledger.clusters.has(living)).toBe(true);
    }
  });

  it('counts of a cluster are those of its issues, and a rebuild of what was recorded is equal', () => {
    fc.assert(property, parameters(300));
  });

  it('changes that name what is not there do nothing', () => {
    const ledger = createLedger();
    for (const change of [
      { type: 'retracted', issues: ['x'] },
      { type: 'merged', into: 1, from: [2] },
      { type: 'removed', cluster: 1 },
      { type: 'clustered', by: 'gather', issues: [{ issue: 'x', cluster: 1, similarity: 1 }] },
    ] satisfies LedgerChange[])
      applyChange(ledger, change);
    expect(ledger).toEqual(createLedger());
    expect([livingCluster(ledger, 1), noCounts.issues]).toEqual([undefined, 0]);
  });
});
