import { applyEntries } from './write.js';
import { diff, type Difference } from './diff.js';
import { isSame, type Json } from './json.js';
import { checkedValue, limitsOf, type WriteOptions } from './limits.js';
import { type Written, type Entry, type Parts } from './part.js';

/** The roots of a merge: the tree that both sides began with, and what each side made of it. */
export interface MergeRoots {
  readonly base: string;
  readonly ours: string;
  readonly theirs: string;
}

/** The values of a key that both sides changed, each in its own way; absent where the key is not there. */
export interface Sides {
  readonly base?: Json;
  readonly ours?: Json;
  readonly theirs?: Json;
}

/** What becomes of such a key: a value, no entry, or a conflict, for which the tree keeps our side. */
export type Resolution =
  { readonly kind: 'value'; readonly value: Json } | { readonly kind: 'removed' } | { readonly kind: 'conflict' };

/** Decides about a key that both sides changed. Is called in the order of keys, one after the other. */
export type Resolve = (key: string, sides: Sides) => Resolution | Promise<Resolution>;

/** A key that nobody decided about. */
export interface Conflict extends Sides {
  readonly key: string;
}

/** The merged tree, the parts of it that neither side has, and the keys that kept our side because of a conflict. */
export interface Merged extends Written {
  readonly conflicts: readonly Conflict[];
}

/**
 * Merges two trees by key: what one side changed counts, and so does what both changed alike. `resolve` decides about
 * keys that both changed differently. The cost grows with what each side changed. Throws what `diff`, `apply` and
 * `resolve` throw.
 */
export async function merge(
  parts: Parts,
  { base, ours, theirs }: MergeRoots,
  resolve: Resolve,
  options: WriteOptions = {},
): Promise<Merged> {
  if (theirs === base || theirs === ours) return { root: ours, parts: [], conflicts: [] };
  if (ours === base) return { root: theirs, parts: [], conflicts: [] };
  const limits = limitsOf(options);
  const edits = new Map<string, Entry | undefined>();
  const conflicts: Conflict[] = [];
  const ourChanges = diff(parts, base, ours);
  let our = await nextOf(ourChanges);
  for await (const their of diff(parts, base, theirs)) {
    while (our !== undefined && our.key < their.key) our = await nextOf(ourChanges);
    if (our?.key !== their.key) {
      edits.set(their.key, entryOf(their.key, their.after));
      continue;
    }
    if (isSame(our.after, their.after)) continue;
    const sides = sidesOf(our, their);
    const resolution = await resolve(their.key, sides);
    if (resolution.kind === 'conflict') conflicts.push({ key: their.key, ...sides });
    else if (resolution.kind === 'removed') edits.set(their.key, undefined);
    else edits.set(their.key, [their.key, checkedValue(their.key, resolution.value, limits)]);
  }
  return { ...(await applyEntries(parts, ours, edits)), conflicts };
}

async function nextOf(differences: AsyncGenerator<Difference, void>): Promise<Difference | undefined> {
  const { value } = await differences.next();
  return value ?? undefined;
}

const entryOf = (key: string, value: Json | undefined): Entry | undefined =>
  value === undefined ? undefined : [key, value];

const sidesOf = (our: Difference, their: Difference): Sides => ({
  ...(our.before !== undefined && { base: our.before }),
  ...(our.after !== undefined && { ours: our.after }),
  ...(their.after !== undefined && { theirs: their.after }),
});
