export interface ClusteredIssue {
  issue: string;
  cluster: number;
  similarity: number;
}

/**
 * What happens to clusters. Changes are recorded, and a rebuild applies them again: it computes nothing, reads no text
 * and asks no model.
 */
export type ClusterChange =
  | { type: 'created'; cluster: number }
  | { type: 'clustered'; by: 'analysis' | 'gather'; issues: readonly ClusteredIssue[] }
  | { type: 'merged'; into: number; from: readonly number[] }
  /** By a person: nothing moves these issues again but a merge of their cluster, or a person. */
  | { type: 'moved'; issues: readonly string[]; to: number }
  | { type: 'removed'; cluster: number };

/** An event has at most as many issues. */
export const mostIssuesOfChange = 200;

/** Issues that were clustered, in changes of at most 200. */
export function clusteredChanges(by: 'analysis' | 'gather', issues: readonly ClusteredIssue[]): ClusterChange[] {
  return parts(issues).map((part) => ({ type: 'clustered', by, issues: part }));
}

/** Issues that a person has moved, in changes of at most 200. */
export function movedChanges(issues: readonly string[], to: number): ClusterChange[] {
  return parts(issues).map((part) => ({ type: 'moved', issues: part, to }));
}

function parts<T>(all: readonly T[]): T[][] {
  const count = Math.ceil(all.length / mostIssuesOfChange);
  return Array.from({ length: count }, (_, index) =>
    all.slice(index * mostIssuesOfChange, (index + 1) * mostIssuesOfChange),
  );
}
