import { AppError, contentBounds } from '@scriptorium/contracts';
import { includesOf, parseMarkdown, RichTextError, type FrontMatter } from '@scriptorium/rich-text';
import { createHash } from 'node:crypto';
import { textOf, unpack } from '../archive/unpack.task.js';
import { isSaid } from './fields.js';
import { titleOfFront } from './titles.js';
import type { Entry } from '../entry.js';
import { dialectOf, isHtmlPage } from '../folder.js';
import type { Scanned } from '../item.js';

/** A file of markdown that is looked at. */
export interface FileToScan {
  path: string;
  entry: Entry;
  part: Uint8Array;
}

/** What a file is known by, or why it cannot be read. */
export type FileScanned = { path: string; scanned: Scanned } | { path: string; unreadable: string };

/**
 * Looks at files of markdown before their links are resolved: what they are, and what their front matter says of where
 * they belong.
 * @throws AppError `content_change_invalid` for an archive that is damaged
 */
export function scanFiles({ files }: { files: readonly FileToScan[] }): FileScanned[] {
  return files.map(scanFile);
}

function scanFile({ path, entry, part }: FileToScan): FileScanned {
  const bytes = unpack(path, entry, part);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  try {
    const text = textOf(path, bytes);
    const includes = includesIn(path, text);
    return {
      path,
      scanned: { sha256, ...namedIn(frontMatterOf(text)), ...(includes.length === 0 ? {} : { includes }) },
    };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { path, unreadable: error.details[0]?.message ?? error.message };
  }
}

/** Files that one page shows, and characters of the path of one. */
const mostIncludes = 100;
const longestInclude = 500;

function includesIn(path: string, text: string): string[] {
  if (text.length > contentBounds.markdownBytes || isHtmlPage(path)) return [];
  return includesOf(text, dialectOf(path))
    .filter(({ length }) => length <= longestInclude)
    .slice(0, mostIncludes);
}

/** Characters in which front matter ends, with those around it. */
const longestFront = 70_000;
const front = /^\ufeff?(---|\+\+\+)[ \t]*\r?\n(?:[^]*?\r?\n)?\1[ \t]*(?:\r?\n|$)/;

/** The front matter of a text; `undefined` for none, and for one that cannot be read. */
export function frontMatterOf(text: string): FrontMatter | undefined {
  const [found] = front.exec(text.slice(0, longestFront)) ?? [];
  if (found === undefined) return undefined;
  try {
    return parseMarkdown(found, { context: 'page', dialect: 'other' }).frontMatter;
  } catch (error) {
    if (error instanceof RichTextError) return undefined;
    throw error;
  }
}

const longestId = 255;

function nameIn(value: unknown): string | undefined {
  const name = typeof value === 'string' ? value.trim() : '';
  return name === '' || name.length > longestId ? undefined : name;
}

/** What front matter says of a page as a whole. */
function namedIn(frontMatter: FrontMatter | undefined): Omit<Scanned, 'sha256'> {
  const { id, slug, draft, published } = frontMatter?.other ?? {};
  const [ownId, ownSlug] = [nameIn(id), nameIn(slug)];
  const named = {
    ...(ownId === undefined ? {} : { id: ownId }),
    ...(ownSlug === undefined ? {} : { slug: ownSlug }),
  };
  const key = isSaid(draft, true) ? 'draft' : isSaid(published, false) ? 'published' : undefined;
  if (key === undefined) return named;
  const title = titleOfFront(frontMatter)?.title;
  return { ...named, draft: key, ...(title === undefined ? {} : { title }) };
}
