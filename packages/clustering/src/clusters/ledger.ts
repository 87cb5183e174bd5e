import type { ClusterChange } from './changes.js';
import { countChanges, countsAfter, noCounts, type ClusterCounts, type IssuePlace } from './counts.js';

/** What changes of clusters and of issues lead to. It holds every issue, so it is for what fits into memory. */
export interface Ledger {
  /** The number of the next cluster. */
  next: number;
  /** Living clusters. */
  clusters: Map<number, ClusterCounts>;
  mergedInto: Map<number, number>;
  /** Issues by conversation. */
  conversations: Map<string, Map<string, IssuePlace>>;
  /** The conversation of each issue. */
  issues: Map<string, string>;
}

/** Besides changes of clusters: what comes and goes. An issue that comes is in no cluster yet. */
export type LedgerChange =
  | ClusterChange
  | { type: 'extracted'; issues: readonly Omit<IssuePlace, 'cluster'>[] }
  | { type: 'retracted'; issues: readonly string[] };

export function createLedger(): Ledger {
  return {
    next: 1,
    clusters: new Map(),
    mergedInto: new Map(),
    conversations: new Map(),
    issues: new Map(),
  };
}

/** The living cluster of a number: the one itself, or the one that it was merged into. Undefined when it is removed. */
export function livingCluster(ledger: Ledger, cluster: number): number | undefined {
  let found = cluster;
  for (let into = ledger.mergedInto.get(found); into !== undefined; into = ledger.mergedInto.get(found)) found = into;
  return ledger.clusters.has(found) ? found : undefined;
}

/** Applies a change. What it names and is not there does nothing: a change is a fact, and facts are not refused. */
export function applyChange(ledger: Ledger, change: LedgerChange): void {
  switch (change.type) {
    case 'created':
      ledger.next = Math.max(ledger.next, change.cluster + 1);
      ledger.clusters.set(change.cluster, noCounts);
      return;
    case 'extracted':
      for (const place of change.issues) put(ledger, { ...place, cluster: undefined });
      return;
    case 'retracted':
      for (const issue of change.issues) take(ledger, issue);
      return;
    case 'clustered':
      for (const { issue, cluster } of change.issues) place(ledger, issue, cluster);
      return;
    case 'merged':
      for (const from of change.from) merge(ledger, change.into, from);
      return;
    case 'removed':
      if (ledger.clusters.get(change.cluster)?.issues === 0) ledger.clusters.delete(change.cluster);
  }
}

function place(ledger: Ledger, issue: string, to: number): void {
  const cluster = livingCluster(ledger, to);
  const known = ledger.conversations.get(ledger.issues.get(issue) ?? '')?.get(issue);
  if (known !== undefined && cluster !== undefined) put(ledger, { ...known, cluster });
}

function put(ledger: Ledger, issue: IssuePlace): void {
  ledger.issues.set(issue.issue, issue.conversation);
  changeConversation(ledger, issue.conversation, (issues) => issues.set(issue.issue, issue));
}

function take(ledger: Ledger, issue: string): void {
  const conversation = ledger.issues.get(issue);
  if (conversation === undefined) return;
  ledger.issues.delete(issue);
  changeConversation(ledger, conversation, (issues) => void issues.delete(issue));
}

function merge(ledger: Ledger, into: number, from: number): void {
  const living = livingCluster(ledger, into);
  if (living === undefined || living === from || !ledger.clusters.has(from)) return;
  for (const [conversation, issues] of ledger.conversations)
    if ([...issues.values()].some(({ cluster }) => cluster === from))
      changeConversation(ledger, conversation, (own) => {
        for (const issue of own.values())
          if (issue.cluster === from) own.set(issue.issue, { ...issue, cluster: living });
      });
  ledger.clusters.delete(from);
  ledger.mergedInto.set(from, living);
}

/** Changes the issues of a conversation, and the counts of clusters with them. */
function changeConversation(
  ledger: Ledger,
  conversation: string,
  change: (issues: Map<string, IssuePlace>) => void,
): void {
  const issues = ledger.conversations.get(conversation) ?? new Map<string, IssuePlace>();
  const before = [...issues.values()];
  change(issues);
  if (issues.size === 0) ledger.conversations.delete(conversation);
  else ledger.conversations.set(conversation, issues);
  for (const [cluster, counted] of countChanges(before, [...issues.values()])) {
    const known = ledger.clusters.get(cluster);
    if (known !== undefined) ledger.clusters.set(cluster, countsAfter(known, counted));
  }
}
