import type { Scope } from '@scriptorium/platform';
import { setImmediate } from 'node:timers/promises';
import type { ContentObjects } from '../../../versions/index.js';
import type { DocumentAnalyses } from '../../analysis/index.js';
import { describing, headsOf, type Heads } from './spec-words.queries.js';
import { indexedDocument, putPage, resolveContents, type IndexedDocument, type SpaceIndex } from './space-index.js';

type Sources = { objects: ContentObjects; analyses: DocumentAnalyses };

const none = 'none';

/** Whether an index has the words of specifications as these are now. */
export async function hasSpecs(
  scope: Pick<Scope, 'store'>,
  organization: string,
  index: Pick<SpaceIndex, 'specs' | 'hasUndescribed'>,
): Promise<boolean> {
  if (index.hasUndescribed) return false;
  return index.specs.size === 0 || changedIn(index, await headsOf(scope, organization, index.specs.keys())).size === 0;
}

/** Gives an index the words of specifications as these are now. */
export async function bringSpecs(
  scope: Pick<Scope, 'store' | 'workers'>,
  { objects, analyses }: Sources,
  organization: string,
  index: SpaceIndex,
): Promise<void> {
  if (index.specs.size === 0) return;
  const heads = await headsOf(scope, organization, index.specs.keys());
  const changed = changedIn(index, heads);
  if (changed.size === 0 && !index.hasUndescribed) return;
  index.hasUndescribed = false;
  try {
    await describeAgain(scope, { objects, analyses }, index, { heads, changed });
  } catch (error) {
    index.hasUndescribed = true;
    throw error;
  }
  for (const [name, head] of heads) index.specs.set(name, head?.outline ?? none);
}

/** Puts documents again that show parts of changed specifications, or came without the words of theirs. */
async function describeAgain(
  scope: Pick<Scope, 'workers'>,
  { objects, analyses }: Sources,
  index: SpaceIndex,
  { heads, changed }: { heads: Heads; changed: ReadonlySet<string> },
): Promise<void> {
  const describe = await describing(objects, heads);
  const made = new Map<string, IndexedDocument | undefined>();
  const describedAs = async (document: IndexedDocument | undefined): Promise<IndexedDocument | undefined> => {
    if (document === undefined || (document.isDescribed && !document.specs.some((name) => changed.has(name))))
      return undefined;
    if (!made.has(document.name)) {
      const analysis = await analyses.ofChanged(scope, index.pool, document.name, describe);
      made.set(document.name, analysis && indexedDocument(index, { name: document.name, isDescribed: true }, analysis));
      await setImmediate();
    }
    return made.get(document.name);
  };
  for (const [id, before] of index.contents) {
    const document = await describedAs(before);
    if (document !== undefined) index.contents.set(id, document);
  }
  for (const { page, document: before } of [...index.pages.values()]) {
    const document = await describedAs(before);
    if (document !== undefined) putPage(index, page, document);
  }
  resolveContents(index);
}

function changedIn({ specs }: Pick<SpaceIndex, 'specs'>, heads: Heads): ReadonlySet<string> {
  return new Set(
    [...specs].filter(([name, outline]) => (heads.get(name)?.outline ?? none) !== outline).map(([name]) => name),
  );
}
