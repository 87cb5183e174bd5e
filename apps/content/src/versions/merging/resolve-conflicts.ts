import { AppError, type ContentChange } from '@scriptorium/contracts';
import { markedBlocks, withoutConflicts, type RichDocument } from '@scriptorium/rich-text';
import type { Json } from '@scriptorium/tree';
import type { ContentTree, Draft } from '../object-store/index.js';
import { keys } from '../pages/index.js';
import type { ConflictSubject, FoundConflict } from './conflict.js';
import { emptyDocument } from './merge-text.js';

/** What a request does to conflicts. */
export interface Resolving {
  /** Those that are not resolved. */
  open: readonly FoundConflict[];
  /** Ids of those that count as resolved. */
  resolve: readonly string[];
  changes: readonly ContentChange[];
  /** The content before the changes. */
  before: ContentTree;
}

/** @throws AppError `content_change_invalid` naming the first id that is not that of an open conflict */
export function refuseUnknown({ open, resolve }: Pick<Resolving, 'open' | 'resolve'>): void {
  const known = new Set(open.map(({ id }) => id));
  const at = resolve.findIndex((id) => !known.has(id));
  if (at === -1) return;
  const path = `body.resolve[${at}]`;
  const message = 'The change request has no such conflict that is not resolved';
  throw new AppError('content_change_invalid', [{ path, message }], { message: `${path}: ${message}` });
}

/**
 * The conflicts that are left after changes. One with markers is resolved when they are gone, any other when a change
 * names what it is about or that is gone. Markers of those that the request resolves are removed from the draft.
 */
export async function conflictsLeft(draft: Draft, resolving: Resolving): Promise<FoundConflict[]> {
  const { open, resolve, changes, before } = resolving;
  const named = namedBy(changes);
  const wanted = new Set(resolve);
  const left: FoundConflict[] = [];
  for (const conflict of open) {
    if (wanted.has(conflict.id)) continue;
    if (conflict.blocks !== undefined) {
      const blocks = markedBlocks(await documentOf(draft, conflict.of)).get(conflict.id);
      if (blocks !== undefined) left.push({ ...conflict, blocks });
    } else if (!named.has(nameOf(conflict.of)) && !(await isGone(before, draft, conflict.of))) left.push(conflict);
  }
  const kept = new Set(left.map(({ id }) => id));
  for (const { id, of, blocks } of open)
    if (wanted.has(id) && blocks !== undefined) await removeMarkers(draft, of, kept);
  return left;
}

/** Subjects as changes and conflicts name them. */
function nameOf(of: ConflictSubject): string {
  if ('page' in of && of.page !== undefined) return `page ${of.page}`;
  if ('reusableContent' in of) return `reusable content ${of.reusableContent}`;
  if ('file' in of) return `file ${of.file}`;
  return `variable ${'variable' in of ? of.variable : ''}`;
}

function namedBy(changes: readonly ContentChange[]): Set<string> {
  return new Set(
    changes.flatMap((change) => {
      if ('page' in change && change.page !== undefined) return [nameOf({ page: change.page })];
      if ('file' in change) return [nameOf({ file: change.file })];
      if ('reusableContent' in change) return [nameOf({ reusableContent: change.reusableContent })];
      if (change.operation !== 'set_variables') return [];
      return Object.keys(change.variables).map((variable) => nameOf({ variable }));
    }),
  );
}

/** The entry of the tree that a subject stands in. */
function keyOf(of: ConflictSubject): string {
  if ('page' in of && of.page !== undefined) return keys.page(of.page);
  if ('reusableContent' in of) return keys.reusableContent(of.reusableContent);
  return 'file' in of ? keys.file(of.file) : keys.variable('variable' in of ? of.variable : '');
}

async function isGone(before: ContentTree, now: ContentTree, of: ConflictSubject): Promise<boolean> {
  const key = keyOf(of);
  return (await now.get(key)) === undefined && (await before.get(key)) !== undefined;
}

type WithDocument = { document?: string } & { [name: string]: Json };

async function documentOf(draft: Draft, of: ConflictSubject): Promise<RichDocument> {
  const record = (await draft.get(keyOf(of))) as WithDocument | undefined;
  return record?.document === undefined ? emptyDocument : ((await draft.object(record.document)) as RichDocument);
}

async function removeMarkers(draft: Draft, of: ConflictSubject, kept: ReadonlySet<string>): Promise<void> {
  const record = (await draft.get(keyOf(of))) as WithDocument | undefined;
  const document = await documentOf(draft, of);
  const plain = withoutConflicts(document, kept);
  if (record !== undefined && plain !== document) draft.put(keyOf(of), { ...record, document: draft.add(plain) });
}
