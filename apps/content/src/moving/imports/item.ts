import type { ComputedSource, ContentReference, PageFields } from '@scriptorium/contracts';
import type * as z from 'zod';
import type { FileRecord } from '../../versions/index.js';
import type { Manifest } from '../archive-format/index.js';
import type { Entry } from './entry.js';
import type { KeptFields } from './kept-fields.js';

export type ManifestPage = Manifest['pages'][number]['record'];

/** A stored object that an archive brings: its name, and where it is. */
export interface BroughtObject {
  name: string;
  entry: Entry;
}

/** What the manifest of an archive knows of a file, as long as the file is as it was. */
export interface Known {
  /** SHA-256 of the file. */
  sha256: string;
  document: BroughtObject;
}

/** A page that the content has already at the same path. */
export interface Present {
  document?: string;
  createdAt: string;
  order: string;
  slug?: string;
}

interface Planned {
  /** Its place among those of its kind. */
  n: number;
  /** Why its file cannot be read. */
  unreadable?: string;
  /** The id that it has in the archive, or in the content that is replaced. */
  id?: string;
  /** The id by which documents of the archive name it, if it gets another one. */
  formerId?: string;
}

export interface PlannedPage extends Planned {
  kind: 'page';
  type: 'document' | 'group' | 'link' | 'computed';
  title: string;
  /** The place of its parent. */
  parent?: number;
  path?: string;
  entry?: Entry;
  /** The navigation gives it its title, whatever its file says. */
  isNamed?: true;
  /** The last part of its path, unless something else is known of it. */
  slug?: string;
  /** What the navigation says of a page without a file. */
  description?: string;
  /** The folder that it stands for without a file. */
  folder?: string;
  /** The page as the manifest has it. */
  record?: ManifestPage;
  /** What the manifest says of a page without a file. */
  kept?: KeptFields;
  known?: Known;
  /** Its rarer fields, as the manifest has them. */
  attributes?: BroughtObject;
  present?: Present;
  target?: ContentReference;
  targetPath?: string;
  computed?: ComputedSource;
}

export interface PlannedFile extends Planned {
  kind: 'file';
  path: string;
  entry: Entry;
  record?: FileRecord;
  /** It stands outside of the folder of the pages, which can show its text: it is not taken over itself. */
  isOutside?: true;
}

/** What a page is known by before it is read. */
export interface Scanned {
  /** SHA-256 of its file. */
  sha256: string;
  /** The `id` of its front matter. */
  id?: string;
  /** The `slug` of its front matter. */
  slug?: string;
  /** The key of its front matter by which it is a draft. */
  draft?: 'draft' | 'published';
  /** The title of a draft in its front matter. */
  title?: string;
  /** The files whose text its blocks of code show, as it names them. */
  includes?: string[];
}

export interface PlannedInclude extends Planned {
  kind: 'include';
  path: string;
  title: string;
  entry: Entry;
  known?: Known;
  present?: Present;
  /** What the manifest knows of the file that it came from, `null` for nothing. */
  importedFrom?: { path: string } | null;
}

export type PlannedItem = PlannedPage | PlannedFile | PlannedInclude;

/** What links can name in a document, and what its links name in pages. */
export interface NamedAnchors {
  own: string[];
  /** Ids of pages with the anchors that links name in them; an empty id for the document itself. */
  named: [page: string, anchor: string][];
  /** It shows texts with anchors of their own. */
  hasIncludes?: true;
}

/** A page or reusable content that was read. */
export interface ReadItem {
  title: string;
  /** Names the stored document. */
  document: string;
  /** The anchors that it has, and that it names; only while the import is under way. */
  anchors?: NamedAnchors;
  /** The fields that front matter names. */
  fields?: z.output<typeof PageFields>;
  /** Names its rarer fields, if it is as the manifest has it. */
  attributes?: string;
  /** It is as the manifest has it. */
  isKept?: true;
  /** Its condition cannot be evaluated: it is not taken over. */
  isLeftOut?: true;
  /** Its text cannot be read, or takes too long to be. */
  isUnread?: true;
}

/** A file whose bytes the pool has. */
export type BroughtFile = Pick<FileRecord, 'hash' | 'size' | 'contentType' | 'dimensions'>;

interface Progressed {
  /** Given when the plan is stored. */
  id: string;
}

export type PageItem = PlannedPage &
  Progressed & {
    read?: ReadItem;
    scanned?: Scanned;
    /** It is a draft, and not taken over. */
    isDropped?: true;
  };
export type FileItem = PlannedFile &
  Progressed & {
    isUsed?: true;
    /** A page shows its text. */
    isShown?: true;
    brought?: BroughtFile;
  };
export type IncludeItem = PlannedInclude & Progressed & { read?: ReadItem };
export type Item = PageItem | FileItem | IncludeItem;

/**
 * The places of the pages that are not taken over: those that were left out, and everything in them. Parents stand
 * before their children.
 */
export function leftOut(pages: readonly Pick<PageItem, 'n' | 'parent' | 'read'>[]): ReadonlySet<number> {
  const out = new Set<number>();
  for (const { n, parent, read } of pages)
    if (read?.isLeftOut === true || (parent !== undefined && out.has(parent))) out.add(n);
  return out;
}

/** Whether an item is a draft. */
export function isDropped(item: Item): boolean {
  return item.kind === 'page' && item.isDropped === true;
}
