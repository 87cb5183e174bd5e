import { isSame, type Json } from '@scriptorium/tree';
import { idIn, keys, type ReusableContentRecord } from '../pages/index.js';
import type { ConflictSubject } from './conflict.js';
import { mergeTexts, type MergeContext } from './merge-text.js';
import { mergeMembers, mergePresence, mergeValue, type Versions } from './versions.js';

/** Entries that stand by themselves, as both sides together make them. */
export async function mergeOther(
  context: MergeContext,
  key: string,
  versions: Versions<Json>,
): Promise<Json | undefined> {
  const of = subjectOf(key);
  const presence = mergePresence(versions, (before, after) => !isSame(before, after));
  if (presence !== 'both') {
    if (presence.isConflict) context.conflicts.add({ kind: 'delete', of });
    return presence.value;
  }
  if ('reusableContent' in of) return mergeReusableContent(context, of, versions as Versions<ReusableContentRecord>);
  if ('file' in of) return mergeFile(context, of, versions as Versions<{ name: string }>);
  const { value, isConflict } = mergeValue(versions);
  if (isConflict) context.conflicts.add({ kind: 'edit', of });
  return value;
}

function subjectOf(key: string): Exclude<ConflictSubject, { page: string }> {
  if (key.startsWith(keys.reusableContents)) return { reusableContent: idIn(key) };
  return key.startsWith(keys.files) ? { file: idIn(key) } : { variable: idIn(key) };
}

async function mergeReusableContent(
  context: MergeContext,
  of: ConflictSubject,
  versions: Versions<ReusableContentRecord>,
): Promise<Json> {
  const { value, conflicts } = mergeMembers(versions, ['document']);
  if (conflicts.length > 0) context.conflicts.add({ kind: 'edit', of });
  const { base, ours, theirs } = versions;
  const names = { base: base?.document, ours: ours?.document, theirs: theirs?.document };
  const document = await mergeTexts(context, of, names);
  return { ...value, document: document ?? '' };
}

/** The name of a file counts by itself; everything else belongs to its bytes. */
function mergeFile({ conflicts }: MergeContext, of: ConflictSubject, versions: Versions<{ name: string }>): Json {
  const name = mergeValue(of3(versions, ({ name: own }) => own));
  const bytes = mergeValue(of3(versions, ({ name: _, ...rest }) => rest));
  if (name.isConflict || bytes.isConflict) conflicts.add({ kind: 'edit', of });
  return { ...(bytes.value as object), name: name.value ?? '' };
}

function of3<T, R>({ base, ours, theirs }: Versions<T>, part: (side: T) => R): Versions<R> {
  const partOf = (side: T | undefined): R | undefined => (side === undefined ? undefined : part(side));
  return { base: partOf(base), ours: partOf(ours), theirs: partOf(theirs) };
}
