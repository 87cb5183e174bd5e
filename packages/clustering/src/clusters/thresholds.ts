/** How similar is similar enough. They belong to a kind of vectors: those of a model are all rather similar. */
export interface Thresholds {
  /** An issue joins the nearest cluster that is at least as similar. */
  join: number;
  /** Clusters that are at least as similar are merged. */
  merge: number;
  /** An issue of a small cluster goes to the nearest larger one that is at least as similar. */
  gather: number;
}

/** Tuned on messages in English; see the bench. */
const termThresholds: Thresholds = { join: 0.25, merge: 0.35, gather: 0.1 };
/** For small models of sentences. */
const denseThresholds: Thresholds = { join: 0.7, merge: 0.8, gather: 0.55 };

export function thresholdsOf(kind: 'terms' | 'dense'): Thresholds {
  return kind === 'terms' ? termThresholds : denseThresholds;
}

/** An organization has at most as many living clusters. */
export const mostClusters = 5_000;
/** Clusters of at most as many issues are small: their issues are gathered into larger ones. */
export const smallCluster = 5;

/** A small cluster is left alone while it may still grow: until as many issues of others came since its last one, */
const quietIssues = 1_000;
/** or as many days are over. */
const quietDays = 28;

/** Whether issues of a cluster are to be gathered into larger ones. */
export function isGatherDue(cluster: {
  size: number;
  /** Pinned or named by a person. */
  isPinned: boolean;
  /** Issues of the organization since the newest one of the cluster. */
  issuesSince: number;
  daysSince: number;
}): boolean {
  const isQuiet = cluster.issuesSince >= quietIssues || cluster.daysSince >= quietDays;
  return !cluster.isPinned && cluster.size <= smallCluster && isQuiet;
}
