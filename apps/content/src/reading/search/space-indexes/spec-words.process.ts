import type { Scope } from '@scriptorium/platform';
import { setImmediate } from 'node:timers/promises';
import type { ContentObjects } from '../../../versions/index.js';
import type { DocumentAnalyses } from '../../analysis/index.js';
import { describing, specsNamed, type NamingContent, type SearchedSpecs } from './spec-words.queries.js';
import { indexedDocument, putPage, resolveContents, type IndexedDocument, type SpaceIndex } from './space-index.js';

type Sources = { objects: ContentObjects; analyses: DocumentAnalyses };

const none = 'none';
/** Documents that are described at once. */
const atOnce = 64;

/** Whether an index has the words of specifications as these are now. */
export async function hasSpecs(
  scope: Pick<Scope, 'store'>,
  objects: ContentObjects,
  content: NamingContent,
  index: Pick<SpaceIndex, 'specs' | 'hasUndescribed'>,
): Promise<boolean> {
  if (index.hasUndescribed) return false;
  if (index.specs.size === 0) return true;
  return changedIn(index, await specsNamed(scope, objects, content, index.specs.keys())).size === 0;
}

/** Gives an index the words of specifications as these are now. */
export async function bringSpecs(
  scope: Pick<Scope, 'store' | 'workers'>,
  { objects, analyses }: Sources,
  content: NamingContent,
  index: SpaceIndex,
): Promise<void> {
  if (index.specs.size === 0) return;
  const found = await specsNamed(scope, objects, content, index.specs.keys());
  const changed = changedIn(index, found);
  if (changed.size === 0 && !index.hasUndescribed) return;
  index.hasUndescribed = false;
  try {
    await describeAgain(scope, { objects, analyses }, index, { found, changed });
  } catch (error) {
    index.hasUndescribed = true;
    throw error;
  }
  for (const [name, spec] of found) index.specs.set(name, spec?.version ?? none);
}

/** Names what a document says that has the words of these specifications. */
export function describedBy(found: SearchedSpecs, names: readonly string[]): string {
  return `described by ${names.map((name) => `${name} ${found.get(name)?.version ?? none}`).join(', ')}`;
}

/** Puts documents again that show parts of changed specifications, or came without the words of theirs. */
async function describeAgain(
  scope: Pick<Scope, 'workers'>,
  { objects, analyses }: Sources,
  index: SpaceIndex,
  { found, changed }: { found: SearchedSpecs; changed: ReadonlySet<string> },
): Promise<void> {
  const describe = await describing(scope, objects, found);
  const isOld = (document: IndexedDocument | undefined): document is IndexedDocument =>
    document !== undefined && (!document.isDescribed || document.specs.some((name) => changed.has(name)));
  const old = [...index.contents.values(), ...[...index.pages.values()].map(({ document }) => document)].filter(isOld);
  const wanted = [...new Map(old.map(({ name, specs }) => [name, { name, as: describedBy(found, specs) }])).values()];
  const made = new Map<string, IndexedDocument>();
  for (let start = 0; start < wanted.length; start += atOnce) {
    const some = await analyses.ofChanged(scope, index.pool, wanted.slice(start, start + atOnce), describe);
    for (const [name, analysis] of some) {
      made.set(name, indexedDocument(index, { name, isDescribed: true }, analysis));
      await setImmediate();
    }
  }
  for (const [id, before] of index.contents) {
    const document = isOld(before) ? made.get(before.name) : undefined;
    if (document !== undefined) index.contents.set(id, document);
  }
  for (const { page, document: before } of [...index.pages.values()]) {
    const document = isOld(before) ? made.get(before.name) : undefined;
    if (document !== undefined) putPage(index, page, document);
  }
  resolveContents(index);
}

function changedIn({ specs }: Pick<SpaceIndex, 'specs'>, found: SearchedSpecs): ReadonlySet<string> {
  return new Set(
    [...specs].filter(([name, version]) => (found.get(name)?.version ?? none) !== version).map(([name]) => name),
  );
}
