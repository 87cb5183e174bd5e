import { contentBounds, specBounds, type ContentReference } from '@scriptorium/contracts';
import { formVersion } from '@scriptorium/openapi';
import type { Scope } from '@scriptorium/platform';
import { nameOfText } from '@scriptorium/tree';
import { findSpecHead, readFormPart, type SpecHead } from '../../library/index.js';
import { type FileRecord, type ContentObjects, type ContentTree, keys, type Page } from '../../versions/index.js';
import type { SourceInput } from './computed-page.js';
import { isKnownSource } from './expand.task.js';

/** A change of how pages are made of sources changes all seeds. */
const version = 3;

type Reference = ContentReference | { kind: 'file'; file: string };

/** Where sources look for what they depend on. */
export interface SourcePlace {
  organization: string;
  tree: ContentTree;
}

/** What a source depends on, as it is now: a file of the same space, or a specification of the organization. */
type Dependency = { ref: object } & ({ file: FileRecord } | { spec: SpecHead });

/** A page whose source can be looked at. */
export interface Source {
  page: Page;
  type: string;
  props: Readonly<Record<string, unknown>>;
  /** By name. */
  dependencies: ReadonlyMap<string, Dependency>;
  /** Differs when the source, or something that it depends on, does. */
  seed: string;
}

/** The source of a computed page; `undefined` when it is not known, or something that it depends on is not there. */
export async function sourceOf(
  scope: Pick<Scope, 'store'>,
  place: SourcePlace,
  page: Page,
): Promise<Source | undefined> {
  const { computed } = page;
  if (computed === undefined || !isKnownSource(computed.type)) return undefined;
  const { type, props = {} } = computed;
  const dependencies = new Map<string, Dependency>();
  for (const [name, { ref }] of Object.entries<{ ref: Reference }>(computed.dependencies ?? {})) {
    const found = await find(scope, place, ref);
    if (found === undefined) return undefined;
    dependencies.set(name, found);
  }
  const versions = [...dependencies].map(([name, found]) => [name, found.ref, ...versionOf(found)]);
  const seed = nameOfText(JSON.stringify([version, page.id, type, props, versions])).slice(0, 24);
  return { page, type, props: { ...props }, dependencies, seed };
}

/** Whether a source can have other pages although the content is the same: specifications change by themselves. */
export function dependsOnSpecs({ computed }: Page): boolean {
  return Object.values<{ ref: Reference }>(computed?.dependencies ?? {}).some(({ ref }) => ref.kind === 'openapi');
}

async function find(
  scope: Pick<Scope, 'store'>,
  { organization, tree }: SourcePlace,
  ref: Reference,
): Promise<Dependency | undefined> {
  if (ref.kind === 'openapi') {
    const spec = await findSpecHead(scope, organization, ref.spec);
    return spec === undefined ? undefined : { ref, spec };
  }
  if (ref.kind !== 'file' || !('file' in ref) || ('space' in ref && ref.space !== undefined)) return undefined;
  const file = (await tree.get(keys.file(ref.file))) as FileRecord | undefined;
  return file === undefined ? undefined : { ref, file };
}

function versionOf(found: Dependency): unknown[] {
  if ('file' in found) return [found.file.hash];
  const { spec, document, isPublic } = found.spec;
  return [spec, document, formVersion, isPublic];
}

/**
 * A source with the texts of what it depends on, unless one of them is too large or lost.
 * @throws AppError `unavailable`
 */
export async function readSource(
  { files }: Pick<ContentObjects, 'files'>,
  pool: string,
  { type, props, dependencies }: Source,
): Promise<SourceInput | 'too_large' | 'lost'> {
  const texts: Record<string, SourceInput['dependencies'][string]> = {};
  for (const [name, found] of dependencies) {
    const most = mostBytesOf(found);
    const part = await partOf(files, pool, found, most);
    if (part === undefined) return 'lost';
    if (part.size > most) return 'too_large';
    const isPublic = 'spec' in found && found.spec.isPublic;
    texts[name] = { ref: found.ref, text: part.bytes.toString('utf8'), isPublic };
  }
  return { type, props, dependencies: texts };
}

/** The outline of a specification is bounded as its text is: it was compiled when the version was stored. */
function mostBytesOf(found: Dependency): number {
  return 'spec' in found ? specBounds.textBytes : contentBounds.computedFromBytes;
}

/** Of a specification pages need the outline alone. */
function partOf(
  files: ContentObjects['files'],
  pool: string,
  found: Dependency,
  most: number,
): Promise<{ bytes: Buffer; size: number } | undefined> {
  const range = { start: 0, end: most };
  if ('file' in found) return files.part(pool, found.file.hash, range);
  const { spec, outline: hash } = found.spec;
  return readFormPart(files, { spec, hash }, range);
}
