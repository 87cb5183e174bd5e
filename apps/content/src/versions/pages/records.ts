import type {
  ComputedDocument,
  ComputedSource,
  ContentReference,
  PageCover,
  PageLayout,
  PageMetaLinks,
} from '@scriptorium/contracts';

/*
 * What stands in the trees of content. Trees are stored for ever: fields are added, never renamed or given another
 * meaning. Absent fields stand for `false` and "none", so that equal content has one form alone. They are types and not
 * interfaces, which TypeScript never takes for JSON.
 */

/** The file that an import has made something of. It tells the next import what has become of the file. */
export type ImportedFrom = {
  /** Its path in what was imported; that of a folder ends with `/`. */
  path: string;
  /** The `id` of its front matter. */
  id?: string;
  /** SHA-256 of its bytes, of the text of a page. */
  sha256?: string;
};

/** A page, group or link, under `p/<id>`. */
export type PageRecord = {
  type: 'document' | 'group' | 'link' | 'computed';
  title: string;
  /** The last part of its path. Links have none. */
  slug?: string;
  /** The page or group that contains it; absent at the top. */
  parent?: string;
  /** Sorts siblings, as plain text. */
  order: string;
  emoji?: string;
  icon?: string;
  description?: string;
  hidden?: true;
  noIndex?: true;
  noRobotsIndex?: true;
  condition?: string;
  /** Names the document among the objects. */
  document?: string;
  /** Names the rarer fields among the objects. */
  attributes?: string;
  /** Where a link leads. */
  target?: ContentReference;
  /** What its pages are computed from; on a page that was computed, the part that it shows. */
  computed?: ComputedSource | ComputedDocument;
  /** Of what is computed; it never stands in the tree of a revision. */
  seed?: string;
  /** Of what a script has computed and would compute in another way now; as `seed`. */
  stale?: true;
  importedFrom?: ImportedFrom;
  createdAt: string;
  /** When its document or a field of it changed; its place does not count. */
  updatedAt: string;
};

/** The rarer fields of a page, an object of their own. */
export interface PageAttributes {
  layout?: Partial<PageLayout>;
  cover?: PageCover;
  variables?: Record<string, string>;
  metaLinks?: PageMetaLinks;
}

/** A content that several pages show, under `r/<id>`. */
export type ReusableContentRecord = {
  title: string;
  document: string;
  importedFrom?: Pick<ImportedFrom, 'path'>;
};

/** Keys of the tree of a revision. A file (`FileRecord`) stands under `f/<id>`. */
export const keys = {
  page: (id: string): string => `p/${id}`,
  pages: 'p/',
  /** Children in their order: the key names the parent, the sort key and the child. */
  child: (parent: string | undefined, order: string, id: string): string => `c/${parent ?? ''}/${order}/${id}`,
  children: (parent: string | undefined): string => `c/${parent ?? ''}/`,
  /** The child of a page that has a slug. */
  slug: (parent: string | undefined, slug: string): string => `s/${parent ?? ''}/${slug}`,
  file: (id: string): string => `f/${id}`,
  files: 'f/',
  reusableContent: (id: string): string => `r/${id}`,
  reusableContents: 'r/',
  variable: (name: string): string => `v/${name}`,
  variables: 'v/',
} as const;

/** The id at the end of a key. */
export function idIn(key: string): string {
  return key.slice(key.lastIndexOf('/') + 1);
}
