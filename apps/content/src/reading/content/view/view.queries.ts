import { AppError } from '@scriptorium/contracts';
import type { Scope } from '@scriptorium/platform';
import type { RichDocument } from '@scriptorium/rich-text';
import {
  branches,
  revisions,
  type RevisionDocument,
  type FileLinks,
  contentTree,
  type ContentObjects,
  type ContentTree,
} from '../../../versions/index.js';
import { expandRoot } from '../../computed-pages/index.js';
import type { Reader } from '../../page-visibility/index.js';
import type { ContentRef, Targets } from './content-targets.js';
import { documentIds, type DocumentIds } from './document-ids.js';

/** The content of one revision, as somebody reads it. */
export interface ContentView {
  organization: string;
  space: string;
  /** The branch that it is of, as it is now; `null` for that of an older revision. */
  branch: string | null;
  /** Id of the revision. */
  revision: string;
  /** The root of its tree, with the pages that are computed. */
  root: string;
  /** The root of the tree of the revision. */
  stored: string;
  tree: ContentTree;
  documents: DocumentIds;
  /** Whether pages are computed in it: then what they are computed from stands for a group of them. */
  isExpanded: boolean;
  /** Whether pages are computed from what changes without the revision: specifications, or by scripts. */
  isFromOutside: boolean;
  files: FileLinks;
  /** What was made of content before. */
  derived: ContentObjects['derived'];
  /** Set when a visitor reads: `tree` is without the pages that they are not shown. */
  reader?: Reader;
  /** These pages. */
  hidden?: ReadonlySet<string>;
  /** Set when anybody may read what the visitor is shown. */
  isPublic?: true;
  /**
   * What else an answer shows that may change without the revision, such as the revisions of other spaces. Reads add to
   * it.
   */
  also: unknown[];
  /**
   * What references lead to outside of the space, as whoever reads the content sees it. Without it they lead to nothing
   * there.
   */
  elsewhere?: (refs: readonly ContentRef[]) => Promise<Targets>;
  /** A document with what its blocks show of specifications and integrations. Without it they show nothing. */
  withBlocks?: (document: RichDocument) => Promise<RichDocument>;
}

/** Which content is read: the present one of a branch, or that of a revision. */
export type ContentPlace = { space: string; branch: string } | { space: string; revision: string };

/** What views are made with. */
export type ViewScope = Pick<Scope, 'store' | 'keys' | 'workers'>;

/**
 * The content of a revision, with the pages that are computed for it unless `computed` is false.
 * @throws AppError `not_found` for a branch or revision that is not there
 */
export async function viewContent(
  scope: ViewScope,
  objects: ContentObjects,
  organization: string,
  place: ContentPlace,
  { computed = true }: { computed?: boolean } = {},
): Promise<ContentView> {
  const { space } = place;
  const { revision, branch, pool, stored } = await contentAt(scope, place);
  const documents = documentIds(scope.keys, space);
  const files = objects.files.linksOf(pool);
  const of = { organization, space, branch, pool, root: stored };
  const expanded = computed ? await expandRoot(scope, objects, of) : undefined;
  const root = expanded?.root ?? stored;
  const isFromOutside = expanded?.isFromOutside === true;
  const also = expanded === undefined || expanded.seeds.length === 0 ? [] : [expanded.seeds];
  const tree = contentTree(objects, pool, root);
  return {
    organization,
    space,
    branch,
    documents,
    files,
    revision,
    stored,
    root,
    tree,
    isExpanded: computed,
    isFromOutside,
    also,
    derived: objects.derived,
  };
}

async function contentAt(
  scope: Pick<Scope, 'store'>,
  place: ContentPlace,
): Promise<{ revision: string; branch: string | null; pool: string; stored: string }> {
  const { space } = place;
  if ('branch' in place) {
    const found = await scope.store.read(branches).byId(place.branch);
    if (found?.head == null || found.space !== space) throw new AppError('not_found');
    return { revision: found.head.revision, branch: place.branch, pool: found.pool, stored: found.head.tree };
  }
  const revision = await requireRevision(scope, space, place.revision);
  const branch = await scope.store.read(branches).byId(revision.branch);
  if (branch === null) throw new AppError('not_found');
  const isPresent = branch.head?.revision === place.revision;
  return {
    revision: place.revision,
    branch: isPresent ? revision.branch : null,
    pool: branch.pool,
    stored: revision.tree,
  };
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
