import { AppError, type ImportWarning } from '@scriptorium/contracts';
import {
  links,
  parseMarkdown,
  RichTextError,
  validate,
  type Dialect,
  type FrontMatter,
  type RichDocument,
} from '@scriptorium/rich-text';
import { canonical, nameOfText } from '@scriptorium/tree';
import { createHash } from 'node:crypto';
import type { Entry } from '../entry.js';
import { cutText, dialectOf, isHtmlPage } from '../folder.js';
import { attributesIn } from './attributes.js';
import { markdownOfHtmlPage } from './html-page.js';
import { linksOf, type Targets } from './links.js';
import type { NamedAnchors } from '../item.js';
import { namedAnchors } from './named-anchors.js';
import { titled, titleOfFront, titleOfHeading, withHeading } from './titles.js';
import { unfit } from '../refusal.js';
import { isRenaming, renameIds } from '../rename-ids.js';
import { textOf, unpack } from '../archive/unpack.task.js';

interface Part {
  entry: Entry;
  part: Uint8Array;
}

/** A file of markdown that is read. */
export interface FileToRead extends Part {
  path: string;
  /** What the manifest has for it, as long as the file has this SHA-256. */
  known?: { sha256: string; document: Part & { name: string } } | undefined;
  /** The rarer fields that the manifest has for it. */
  attributes?: (Part & { name: string }) | undefined;
  /** The files whose text its blocks of code show, as it names them. */
  included: readonly (Part & { named: string })[];
  /** The title that the navigation gives it. */
  title?: string | undefined;
  /** The document that it replaces, as it is stored. */
  previous?: string | undefined;
}

export interface ReadInput {
  files: readonly FileToRead[];
  /** `Targets` as JSON: it is large, and a text is copied at once. */
  targets: string;
}

/** A file that was read. */
export interface FileRead {
  path: string;
  /** The document, with its name. */
  document: { name: string; text: string };
  /** The document is that of the manifest. */
  isKept: boolean;
  anchors: NamedAnchors;
  /** The rarer fields of a page that is as the manifest has it. */
  attributes?: { name: string; text: string };
  title?: string;
  frontMatter?: FrontMatter;
  /** It begins with front matter that names a condition and cannot be read. */
  hasUnreadCondition?: true;
  warnings: ImportWarning[];
  /** Ids of the files that it has as they are, or links to. */
  files: string[];
  /** The files whose text it shows, as it names them. */
  shown: string[];
}

/** A file that cannot be read, and why. */
export interface FileUnread {
  path: string;
  unreadable: string;
}

/** JSON levels of documents. */
const deepest = 2_000;

/** Reads markdown files. @throws AppError `content_change_invalid`, naming the file of an archive that is damaged */
export function readFiles({ files, targets }: ReadInput): (FileRead | FileUnread)[] {
  const known = JSON.parse(targets) as Targets;
  return files.map((file) => readFile(file, known));
}

function readFile(file: FileToRead, targets: Targets): FileRead | FileUnread {
  const { path } = file;
  const bytes = unpack(path, file.entry, file.part);
  const known = knownDocument(file);
  if (known !== undefined && createHash('sha256').update(bytes).digest('hex') === file.known?.sha256)
    return { path, ...keptAs(known, targets), isKept: true, ...attributesOf(file, targets), warnings: [], shown: [] };
  try {
    const text = textOf(path, bytes);
    const markdown = isHtmlPage(path) ? markdownOfHtmlPage(text) : text;
    return readText(file, markdown, targets, previousOf(file) ?? known);
  } catch (error) {
    if (error instanceof RichTextError) return { path, unreadable: error.message };
    if (error instanceof AppError) return { path, unreadable: error.details[0]?.message ?? error.message };
    throw error;
  }
}

function readText(file: FileToRead, text: string, targets: Targets, previous: RichDocument | undefined): FileRead {
  const { path } = file;
  const own = linksOf(targets, path);
  // What an export has is in the format of this product.
  const dialect = file.known === undefined ? dialectOf(path) : undefined;
  const included = includedTexts(file);
  const {
    document,
    title: heading,
    frontMatter,
    leftOut = [],
    moved = [],
    picturesInTitle = 0,
  } = parsed(text, own.resolve, { previous, dialect, included: included.textOf });
  const hasHeading = document.nodes[0]?.type === 'heading-1';
  const { title, shown } = titled(
    file.title,
    titleOfFront(frontMatter),
    hasHeading ? undefined : titleOfHeading(heading),
  );
  const whole = shown === undefined ? document : withHeading(shown, document);
  return {
    path,
    document: stored(whole),
    anchors: namedAnchors(whole),
    isKept: false,
    ...(title === undefined ? {} : { title }),
    ...(frontMatter === undefined ? {} : { frontMatter }),
    ...(frontMatter === undefined && namesCondition(text) ? { hasUnreadCondition: true } : {}),
    warnings: [
      ...namesOf('left_out', path, leftOut),
      ...namesOf('moved', path, moved),
      ...(picturesInTitle > 0 ? [{ kind: 'title_picture' as const, path }] : []),
      ...own.warnings,
    ],
    files: [...own.files],
    shown: [...included.shown],
  };
}

/** Lines of front matter in which a condition is looked for. */
const mostLines = 1_000;

function namesCondition(text: string): boolean {
  const [first = '', ...lines] = text.split(/\r?\n/, mostLines);
  if (first.trimEnd() !== '---') return false;
  const end = lines.findIndex((line) => line.trimEnd() === '---');
  // A rule at the beginning of a text has no end. Front matter that ends behind these lines counts as one with a
  // condition.
  if (end < 0) return lines.length === mostLines - 1;
  return lines.slice(0, end).some((line) => /^\s*["']?if["']?\s*:/.test(line));
}

function stored(document: RichDocument): FileRead['document'] {
  const text = canonical(document, deepest);
  return { name: nameOfText(text), text };
}

/** The document that the manifest has for a file; `undefined` for none, and for one that is no valid document. */
function knownDocument({ known }: FileToRead): RichDocument | undefined {
  if (known === undefined) return undefined;
  const { name, entry, part } = known.document;
  try {
    const text = textOf(name, unpack(name, entry, part));
    const document = validate(JSON.parse(text));
    return nameOfText(text) === name && canonical(document, deepest) === text ? document : undefined;
  } catch {
    return undefined;
  }
}

/** A document of the manifest in its new place. */
function keptAs(document: RichDocument, { ids }: Targets): Pick<FileRead, 'document' | 'files' | 'anchors'> {
  const own = isRenaming(ids) ? renameIds(document, ids) : document;
  const files = links(own).flatMap(({ ref }) => (typeof ref['file'] === 'string' ? [ref['file']] : []));
  return { document: stored(own), files, anchors: namedAnchors(own) };
}

/** @throws AppError `content_change_invalid` for fields that no page can have */
function attributesOf({ attributes }: FileToRead, targets: Targets): Pick<FileRead, 'attributes'> {
  if (attributes === undefined) return {};
  const { name, entry, part } = attributes;
  const text = textOf(name, unpack(name, entry, part));
  if (nameOfText(text) !== name) throw unfit(name, 'It is not what its name says');
  return { attributes: attributesIn(name, text, targets.ids) };
}

function previousOf({ previous }: FileToRead): RichDocument | undefined {
  return previous === undefined ? undefined : (JSON.parse(previous) as RichDocument);
}

function parsed(
  text: string,
  resolveLink: ReturnType<typeof linksOf>['resolve'],
  {
    previous,
    dialect,
    included,
  }: {
    previous: RichDocument | undefined;
    dialect: Dialect | undefined;
    included: (path: string) => string | undefined;
  },
) {
  return parseMarkdown(text, {
    context: 'page',
    resolveLink,
    keepAddresses: true,
    included,
    ...(previous === undefined ? {} : { previous }),
    ...(dialect === undefined ? {} : { dialect }),
  });
}

/** The texts of the files that a page shows, none for what is no text; `shown`: those that were asked for. */
function includedTexts({ included }: FileToRead) {
  const shown = new Set<string>();
  const texts = new Map<string, string>();
  for (const { named, entry, part } of included) {
    try {
      texts.set(named, textOf(named, unpack(named, entry, part)));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
    }
  }
  const shownText = (path: string): string | undefined => {
    const text = texts.get(path);
    if (text !== undefined) shown.add(path);
    return text;
  };
  return { textOf: shownText, shown };
}

const longestTarget = 1_024;

/** One warning for all that this format has nothing for, or that had to move. */
function namesOf(kind: 'left_out' | 'moved', path: string, names: readonly string[]): ImportWarning[] {
  return names.length === 0 ? [] : [{ kind, path, target: cutText(names.join(', '), longestTarget) }];
}
