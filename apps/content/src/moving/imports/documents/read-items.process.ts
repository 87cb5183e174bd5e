import { importBounds, type ImportWarning } from '@scriptorium/contracts';
import { parseMarkdown } from '@scriptorium/rich-text';
import { canonical, nameOfText } from '@scriptorium/tree';
import { setImmediate as pause } from 'node:timers/promises';
import { fieldsIn } from './fields.js';
import { markFiles, replaceItems } from '../import-items.operational.js';
import { addWarnings } from '../imports.operational.js';
import { includedIn } from '../included.js';
import { isDropped, type ReadItem } from '../item.js';
import { linksOf } from './links.js';
import type { FileRead, FileUnread } from './read-files.task.js';
import { readAll, type ToRead, type ImportWork } from './read-groups.process.js';

/**
 * Reads the files of pages or reusable contents, and stores what they say. Safe to repeat. @throws AppError as
 * `readFiles` does
 */
export async function readItems(work: ImportWork, items: readonly ToRead[]): Promise<void> {
  const { scope, import: about } = work;
  const withFile = items.filter(
    (item) => item.entry !== undefined && item.unreadable === undefined && !isDropped(item),
  );
  const files = new Map((await readAll(work, withFile)).map((file) => [file.path, file]));
  const warnings: ImportWarning[] = [];
  const found = { used: new Set<number>(), shown: new Set<number>() };
  const read: ToRead[] = [];
  for (const item of items.filter((one) => !isDropped(one))) {
    const file = item.path === undefined ? undefined : files.get(item.path);
    if (file === undefined && item.entry === undefined && (item.kind !== 'page' || item.type !== 'document')) continue;
    const made = madeOf(work, item, { file, warnings, found });
    read.push({ ...item, read: made });
  }
  await storeTexts(work, [...texts(files.values()), empty]);
  await markFiles(scope, about._id, found);
  const [first] = items;
  if (first !== undefined) await addWarnings(scope, about._id, { warnings, most: importBounds.warnings, from: first });
  await replaceItems(scope, about._id, read);
}

interface Making {
  file: FileRead | FileUnread | undefined;
  warnings: ImportWarning[];
  found: { used: Set<number>; shown: Set<number> };
}

function madeOf(work: ImportWork, item: ToRead, { file, warnings, found }: Making): ReadItem {
  const message = file !== undefined && 'unreadable' in file ? file.unreadable : item.unreadable;
  if (message !== undefined) {
    warnings.push({ kind: 'unreadable', path: item.path ?? '', message });
    return unreadPage(item);
  }
  if (file === undefined || 'unreadable' in file) return emptyPage(item);
  const made = readItem(work, item, { file, warnings, found });
  return file.attributes === undefined ? made : { ...made, attributes: file.attributes.name };
}

/**
 * Takes over a page or reusable content without its text, which takes too long to be read, and warns of that. Safe to
 * repeat.
 */
export async function passOver(work: ImportWork, item: ToRead): Promise<void> {
  const { scope, import: about } = work;
  await storeTexts(work, [empty]);
  const warnings: ImportWarning[] = [{ kind: 'unread', path: item.path ?? '' }];
  await addWarnings(scope, about._id, { warnings, most: importBounds.warnings, from: item });
  await replaceItems(scope, about._id, [{ ...item, read: unreadPage(item) }]);
}

const empty = (() => {
  const text = canonical(parseMarkdown('', { context: 'page' }).document);
  return { name: nameOfText(text), text };
})();

function emptyPage({ title }: ToRead): ReadItem {
  return { title, document: empty.name };
}

/** What is replaced keeps the text that it has. */
function unreadPage({ title, present }: ToRead): ReadItem {
  return { title, document: present?.document ?? empty.name, isUnread: true };
}

function readItem(
  { targets }: ImportWork,
  item: ToRead,
  { file, warnings, found }: Making & { file: FileRead },
): ReadItem {
  const links = linksOf(targets.targets, file.path);
  const { fields, warnings: more, hasUnusableCondition } = fieldsIn(file.path, file.frontMatter, links);
  if (item.kind === 'page' && (hasUnusableCondition || file.hasUnreadCondition === true)) {
    warnings.push({ kind: 'condition', path: file.path, target: 'if' });
    return { ...emptyPage(item), isLeftOut: true };
  }
  warnings.push(...file.warnings, ...more);
  const add = (places: Set<number>, id: string): void => {
    const n = targets.files.get(id);
    if (n !== undefined) places.add(n);
  };
  for (const id of [...file.files, ...links.files]) add(found.used, id);
  for (const { named, path } of includedIn(item, targets.included))
    if (file.shown.includes(named)) add(found.shown, targets.targets.files[path] ?? '');
  const { name: document } = file.document;
  const { anchors } = file;
  if (file.isKept) return { title: item.title, document, anchors, isKept: true };
  return {
    title: file.title ?? item.title,
    document,
    anchors,
    ...(Object.keys(fields).length === 0 ? {} : { fields }),
  };
}

function* texts(files: Iterable<FileRead | FileUnread>): Generator<FileRead['document']> {
  for (const file of files) {
    if ('unreadable' in file) continue;
    yield file.document;
    if (file.attributes !== undefined) yield file.attributes;
  }
}

/** Bytes of texts that are stored at once: to pack more would hold up everything else. */
const storedTogether = 256 * 1024;

async function storeTexts({ objects, pool }: ImportWork, all: readonly FileRead['document'][]): Promise<void> {
  let [some, length]: [FileRead['document'][], number] = [[], 0];
  for (const one of all) {
    if (length > 0 && length + one.text.length > storedTogether) {
      await objects.store(pool, some);
      await pause();
      [some, length] = [[], 0];
    }
    some.push(one);
    length += one.text.length;
  }
  if (some.length > 0) await objects.store(pool, some);
}
