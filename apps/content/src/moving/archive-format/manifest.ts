import {
  ComputedSource,
  Condition,
  contentBounds,
  ContentReference,
  ContentTitle,
  ContentType,
  Emoji,
  FileName,
  Icon,
  Id,
  importBounds,
  Slug,
  text,
  Timestamp,
} from '@scriptorium/contracts';
import * as z from 'zod';

const Hash = z.string().regex(/^[0-9a-f]{64}$/);
const Path = z.string().min(1).max(importBounds.pathBytes);
/** A key that sorts siblings. */
const Order = z.string().regex(/^[0-9A-Za-z]{1,128}$/);
const yes = z.literal(true).optional();

const ImportedFile = z.strictObject({ path: Path });

/** A page as trees have it. */
const ManifestPage = z.strictObject({
  type: z.enum(['document', 'group', 'link', 'computed']),
  title: ContentTitle,
  slug: Slug.min(1).optional(),
  parent: Id.optional(),
  order: Order,
  emoji: Emoji.optional(),
  icon: Icon.optional(),
  description: text(0, contentBounds.description).optional(),
  hidden: yes,
  noIndex: yes,
  noRobotsIndex: yes,
  condition: Condition.optional(),
  document: Hash.optional(),
  attributes: Hash.optional(),
  target: ContentReference.optional(),
  computed: ComputedSource.optional(),
  importedFrom: z.strictObject({ path: Path, id: text(1, 255).optional(), sha256: Hash.optional() }).optional(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});

const ManifestFile = z.strictObject({
  name: FileName,
  hash: Hash,
  size: z.int().min(0),
  contentType: ContentType,
  dimensions: z.strictObject({ width: z.number(), height: z.number() }).optional(),
  importedFrom: ImportedFile.optional(),
});

/** What an export says beside its markdown. `sha256` is that of the file, so that one that was edited is read anew. */
export const Manifest = z.strictObject({
  format: z.literal(1),
  /** SHA-256 of `SUMMARY.md`. */
  summary: Hash,
  pages: z.array(z.strictObject({ id: Id, path: Path.optional(), sha256: Hash.optional(), record: ManifestPage })),
  files: z.array(z.strictObject({ id: Id, path: Path, record: ManifestFile })),
  reusableContents: z.array(
    z.strictObject({
      id: Id,
      path: Path,
      sha256: Hash,
      record: z.strictObject({ title: ContentTitle, document: Hash, importedFrom: ImportedFile.optional() }),
    }),
  ),
});
export type Manifest = z.output<typeof Manifest>;
