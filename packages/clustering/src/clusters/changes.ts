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
  | { type: 'removed'; cluster: number };

/** An event has at most as many issues. */
export const mostIssuesOfChange = 200;

/** Issues that were clustered, in changes of at most 200. */
export function clusteredChanges(by: 'analysis' | 'gather', issues: readonly ClusteredIssue[]): ClusterChange[] {
  const count = Math.ceil(issues.length / mostIssuesOfChange);
  return Array.from({ length: count }, (_, index) => ({
    type: 'clustered',
    by,
    issues: issues.slice(index * mostIssuesOfChange, (index + 1) * mostIssuesOfChange),
  }));
}
