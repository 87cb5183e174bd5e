import { AppError, type ContentReference } from '@scriptorium/contracts';
import type { RevisionData } from '../branches/index.js';
import type { StagedFile } from '../files/index.js';
import type { ContentTree, Draft } from '../object-store/index.js';
import type { ParsePage } from './parsing/parse-page.js';

/** What happened in a revision: kind and id. */
export type ContentEvent = RevisionData['changes'][number];

/** What the changes of one request work with. */
export interface ChangeContext {
  draft: Draft;
  /** The space whose content is changed. */
  space: string;
  /** Ids by the names that the request gives. */
  refs: ReadonlyMap<string, string>;
  /** The names that the request gives to files. */
  fileNames: ReadonlySet<string>;
  /** The bytes that the request brings for the change, or the file of a change, at a path. */
  bytesAt: (path: string) => StagedFile | undefined;
  /** What links to `/content-refs/<name>` lead to, by that name. */
  contentRefs: ReadonlyMap<string, ContentReference>;
  /** The id of what a change makes. */
  newId: (what: string) => string;
  /** When the changes are made. */
  now: string;
  parse: ParsePage;
  /** The content of a revision of the same branch; `undefined` for the one before the head. */
  revision: (id: string | undefined) => Promise<ContentTree | undefined>;
  /** Ids of the conflicts that markers in documents may name: those that are not resolved. */
  openConflicts: ReadonlySet<string>;
  /** Base of addresses of the content. */
  location: string;
  /** How many variables the space, and each page, can have. */
  mostVariables: number;
  note: (kind: ContentEvent['kind'], id: string) => void;
}

/** One change, with the path that names it in refusals. */
export interface At {
  path: string;
}

/** A change that is not possible. */
export function impossible({ path }: At, field: string | undefined, message: string): AppError {
  const at = field === undefined ? path : `${path}.${field}`;
  return new AppError('content_change_invalid', [{ path: at, message }], { message: `${at}: ${message}` });
}
