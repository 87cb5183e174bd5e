import { AppError } from '@scriptorium/contracts';
import type { Scope } from '@scriptorium/platform';
import { branches, revisions, type RevisionDocument } from '../branches/index.js';
import type { FileLinks } from '../files/index.js';
import { contentTree, type ContentObjects, type ContentTree } from '../objects/index.js';
import type { Reader } from '../visitors/index.js';
import { documentIds, type DocumentIds } from './document-ids.js';

/** The content of one revision, as somebody reads it. */
export interface ContentView {
  organization: string;
  space: string;
  /** Id of the revision. */
  revision: string;
  /** The root of its tree. */
  root: string;
  tree: ContentTree;
  documents: DocumentIds;
  files: FileLinks;
  /** Set when a visitor reads: `tree` is without the pages that they are not shown. */
  reader?: Reader;
  /** These pages. */
  hidden?: ReadonlySet<string>;
  /** What else an answer shows that may change without the revision, such as the revisions of other spaces. Reads add to it. */
  also: unknown[];
}

/** Which content is read: the present one of a branch, or that of a revision. */
export type ContentPlace = { space: string; branch: string } | { space: string; revision: string };

/** @throws AppError `not_found` for a branch or revision that is not there */
export async function viewContent(
  scope: Pick<Scope, 'store' | 'keys'>,
  objects: ContentObjects,
  organization: string,
  place: ContentPlace,
): Promise<ContentView> {
  const { space } = place;
  const documents = documentIds(scope.keys, space);
  if ('branch' in place) {
    const found = await scope.store.read(branches).byId(place.branch);
    if (found?.head == null || found.space !== space) throw new AppError('not_found');
    const { head, pool } = found;
    const { revision, tree: root } = head;
    const files = objects.files.linksOf(pool);
    return { organization, space, documents, files, revision, root, tree: contentTree(objects, pool, root), also: [] };
  }
  const revision = await requireRevision(scope, space, place.revision);
  const branch = await scope.store.read(branches).byId(revision.branch);
  if (branch === null) throw new AppError('not_found');
  const tree = contentTree(objects, branch.pool, revision.tree);
  const files = objects.files.linksOf(branch.pool);
  return { organization, space, documents, files, revision: place.revision, root: revision.tree, tree, also: [] };
}

/** A revision of a space. @throws AppError `not_found` */
export async function requireRevision(
  { store }: Pick<Scope, 'store'>,
  space: string,
  id: string,
): Promise<RevisionDocument & { _id: string }> {
  const revision = await store.read(revisions).byId(id);
  if (revision?.space !== space) throw new AppError('not_found');
  return revision;
}
