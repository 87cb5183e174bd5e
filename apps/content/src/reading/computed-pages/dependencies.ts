import { contentBounds, type ContentReference } from '@scriptorium/contracts';
import { nameOfText } from '@scriptorium/tree';
import { type FileRecord, type ContentObjects, type ContentTree, keys, type Page } from '../../versions/index.js';
import type { SourceInput } from './computed-page.js';
import { isKnownSource } from './expand.task.js';

/** A change of how pages are made of sources changes all seeds. */
const version = 1;

type Reference = ContentReference | { kind: 'file'; file: string };

/** A page whose source can be looked at. */
export interface Source {
  page: Page;
  type: string;
  props: Readonly<Record<string, unknown>>;
  /** By name, what it depends on, as it is now. */
  dependencies: ReadonlyMap<string, { ref: object; file: FileRecord }>;
  /** Differs when the source, or something that it depends on, does. */
  seed: string;
}

/** The source of a computed page; `undefined` when it is not known, or something that it depends on is not there. */
export async function sourceOf(tree: ContentTree, page: Page): Promise<Source | undefined> {
  const { computed } = page;
  if (computed === undefined || !isKnownSource(computed.type)) return undefined;
  const { type, props = {} } = computed;
  const dependencies = new Map<string, { ref: object; file: FileRecord }>();
  for (const [name, { ref }] of Object.entries<{ ref: Reference }>(computed.dependencies ?? {})) {
    const file = await fileOf(tree, ref);
    if (file === undefined) return undefined;
    dependencies.set(name, { ref, file });
  }
  const versions = [...dependencies].map(([name, { ref, file }]) => [name, ref, file.hash]);
  const seed = nameOfText(JSON.stringify([version, page.id, type, props, versions])).slice(0, 24);
  return { page, type, props: { ...props }, dependencies, seed };
}

/** The file that a reference names. Specifications do not exist yet. */
async function fileOf(tree: ContentTree, ref: Reference): Promise<FileRecord | undefined> {
  if (ref.kind !== 'file' || !('file' in ref) || ('space' in ref && ref.space !== undefined)) return undefined;
  return (await tree.get(keys.file(ref.file))) as FileRecord | undefined;
}

/** A source with the texts of what it depends on; `undefined` when one is too large. @throws AppError `unavailable` */
export async function readSource(
  { files }: Pick<ContentObjects, 'files'>,
  pool: string,
  { type, props, dependencies }: Source,
): Promise<SourceInput | undefined> {
  const texts: Record<string, { ref: object; text: string }> = {};
  for (const [name, { ref, file }] of dependencies) {
    if (file.size > contentBounds.computedFromBytes) return undefined;
    const bytes = await files.bytes(pool, file.hash);
    if (bytes === undefined) return undefined;
    texts[name] = { ref, text: bytes.toString('utf8') };
  }
  return { type, props, dependencies: texts };
}
