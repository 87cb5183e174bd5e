import { cosine, type Vector } from '../weights/vector.js';
import { createCentroids } from './centroids.js';
import { thresholdsOf } from './thresholds.js';

export interface SplitIssue {
  issue: string;
  vector: Vector;
}

/** At most as many issues are divided; the others of a larger cluster follow by `nearest`. */
export const mostSplitIssues = 2_000;
const rounds = 10;

/**
 * Divides the issues of a cluster into two groups, the larger first: each issue stands with the centroid that it is
 * more similar to. Undefined where they are one subject: the two groups would be merged again.
 */
export function splitOf(issues: readonly SplitIssue[]): [string[], string[]] | undefined {
  if (issues.length > mostSplitIssues) throw new RangeError(`A split takes at most ${mostSplitIssues} issues`);
  const [first, ...others] = [...issues].sort((a, b) => (a.issue < b.issue ? -1 : 1));
  if (first === undefined || others.length === 0) return undefined;
  const all = [first, ...others];
  const { kind } = first.vector;
  const far = leastSimilar(all, leastSimilar(all, first));
  let groups = divided(all, [far.vector, leastSimilar(all, far).vector]);
  for (let round = 0; round < rounds; round += 1) {
    const [a, b] = groups.map((group) => centroidOf(group));
    if (a === undefined || b === undefined) return undefined;
    const next = divided(all, [a, b]);
    const isSettled = next[0].length === groups[0].length && next[0].every((issue) => groups[0].includes(issue));
    groups = next;
    if (isSettled) break;
  }
  const [a, b] = groups.map((group) => centroidOf(group));
  if (a === undefined || b === undefined || cosine(a, b) >= thresholdsOf(kind).merge) return undefined;
  const [larger, smaller] = groups[1].length > groups[0].length ? [groups[1], groups[0]] : groups;
  return [larger.map(({ issue }) => issue), smaller.map(({ issue }) => issue)];
}

function leastSimilar(issues: readonly SplitIssue[], to: SplitIssue): SplitIssue {
  let [found, least] = [to, Number.POSITIVE_INFINITY];
  for (const issue of issues) {
    const similarity = issue === to ? 1 : cosine(issue.vector, to.vector);
    if (similarity < least) [found, least] = [issue, similarity];
  }
  return found;
}

function divided(issues: readonly SplitIssue[], [a, b]: readonly [Vector, Vector]): [SplitIssue[], SplitIssue[]] {
  const groups: [SplitIssue[], SplitIssue[]] = [[], []];
  for (const issue of issues) groups[cosine(issue.vector, a) >= cosine(issue.vector, b) ? 0 : 1].push(issue);
  return groups;
}

function centroidOf(issues: readonly SplitIssue[]): Vector | undefined {
  const [first] = issues;
  if (first === undefined) return undefined;
  const centroids = createCentroids(first.vector.kind);
  for (const { vector } of issues) centroids.add(1, vector);
  return centroids.centroidOf(1);
}
