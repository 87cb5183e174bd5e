/** What is known of a result, or of what was not computed, without its text. */
export interface ListedResult {
  _id: string;
  source: string;
  branch?: string | null;
  isComputed: boolean;
}

/** Results of one source on one branch, by what it depends on. */
const mostOfBranch = 4;
/** What was not computed of one source. */
const mostFailed = 8;
/** Of one space, all together. */
const mostOfSpace = 500;

/**
 * The ids of those that are too many of a space. What the main content shows of a source is the last to go: visitors
 * have nothing else while the script does not answer. `all`: those of the space that were shown last first.
 */
export function resultsToDrop(space: string, all: readonly ListedResult[]): string[] {
  const counts = new Map<string, number>();
  const [shown, others]: [string[], string[]] = [[], []];
  const dropped: string[] = [];
  for (const { _id: id, source, branch = null, isComputed } of all) {
    const group = isComputed ? JSON.stringify([source, branch]) : source;
    const before = counts.get(group) ?? 0;
    counts.set(group, before + 1);
    if (before >= (isComputed ? mostOfBranch : mostFailed)) dropped.push(id);
    else if (isComputed && branch === space && before === 0) shown.push(id);
    else others.push(id);
  }
  return [...dropped, ...[...shown, ...others].slice(mostOfSpace)];
}
