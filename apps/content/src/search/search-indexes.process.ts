import { createKeyedQueue } from '@scriptorium/event-sourcing';
import type { Scope } from '@scriptorium/platform';
import { diff, EMPTY_ROOT } from '@scriptorium/tree';
import { LRUCache } from 'lru-cache';
import { setImmediate } from 'node:timers/promises';
import type { ContentFacts } from '../facts/index.js';
import type { ContentObjects } from '../objects/index.js';
import { idIn, keys, type PageRecord, type ReusableContentRecord } from '../pages/index.js';
import {
  bytesOf,
  emptyIndex,
  indexedDocument,
  putPage,
  resolveContents,
  type IndexedDocument,
  type SpaceIndex,
} from './space-index.js';

/** The content that is searched: the tree of a revision. */
export interface SearchedContent {
  space: string;
  pool: string;
  root: string;
  /** The language of the space. */
  language: string | null;
}

/** Searches that wait for one index. Further ones are refused. */
const mostWaiting = 500;
/** Pages that are put into an index at once. */
const atOnce = 128;
/** Documents that are put into it before other requests get their turn. */
const untilTurn = 16;
/** A dictionary with so many more words than it began with is made anew, as most of them may stand for nothing. */
const outgrown = { factor: 3, words: 20_000 };

interface Kept {
  index: SpaceIndex;
  bytes: number;
  /** Words of its dictionary when it was made. */
  words: number;
}

/**
 * The indexes of spaces, each made of one revision. Before an index is used it is brought to the wanted revision by the difference of the
 * two trees, so it is never stale. Those that were used longest ago are dropped when the memory is used up.
 */
export class SearchIndexes {
  readonly #queue = createKeyedQueue(mostWaiting);
  readonly #kept: LRUCache<string, Kept>;

  constructor(
    private readonly objects: ContentObjects,
    private readonly facts: ContentFacts,
  ) {
    this.#kept = new LRUCache({ maxSize: facts.bytesFor('indexes'), sizeCalculation: ({ bytes }) => bytes });
  }

  /** What `use` returns for the index of this content. It must use it before its first `await`: indexes change. */
  async with<T>(scope: Pick<Scope, 'workers'>, content: SearchedContent, use: (index: SpaceIndex) => T): Promise<T> {
    const kept = this.#fitting(content);
    if (kept?.index.root === content.root) return use(kept.index);
    return this.#queue.run(content.space, async () => use(await this.#bringTo(scope, content)));
  }

  #fitting({ space, pool, language }: SearchedContent): Kept | undefined {
    const kept = this.#kept.get(space);
    return kept?.index.pool === pool && kept.index.language === language ? kept : undefined;
  }

  async #bringTo(scope: Pick<Scope, 'workers'>, content: SearchedContent): Promise<SpaceIndex> {
    const { space, pool, root, language } = content;
    const kept = this.#fitting(content);
    if (kept?.index.root === root) return kept.index;
    // Nobody may use it before it is whole again.
    this.#kept.delete(space);
    const isUsable =
      kept !== undefined && kept.index.dictionary.size() <= kept.words * outgrown.factor + outgrown.words;
    const index = isUsable ? kept.index : emptyIndex(pool, language, EMPTY_ROOT);
    await this.#apply(scope, index, root);
    const words = isUsable ? kept.words : index.dictionary.size();
    this.#kept.set(space, { index, bytes: bytesOf(index), words });
    return index;
  }

  /** Puts what differs between the tree of the index and another one into the index. */
  async #apply(scope: Pick<Scope, 'workers'>, index: SpaceIndex, root: string): Promise<void> {
    const parts = this.objects.partsOf(index.pool);
    let areContentsChanged = false;
    for await (const batch of batches(diff(parts, index.root, root, { prefix: keys.reusableContents }))) {
      areContentsChanged = true;
      const contents = batch.map(([id, record]) => [id, record as ReusableContentRecord | undefined] as const);
      const documents = await this.#documents(
        scope,
        index,
        contents.map(([, record]) => record?.document),
      );
      for (const [id, record] of contents) {
        const document = record === undefined ? undefined : documents.get(record.document);
        if (document === undefined) index.contents.delete(id);
        else index.contents.set(id, document);
      }
    }
    for await (const batch of batches(diff(parts, index.root, root, { prefix: keys.pages }))) {
      const pages = batch.map(([id, record]) => [id, record as PageRecord | undefined] as const);
      // A page that was moved or renamed keeps what is known of its document.
      const known = new Map(
        pages.flatMap(([id]) => {
          const document = index.pages.get(id)?.document;
          return document === undefined ? [] : [[document.name, document] as const];
        }),
      );
      const documents = await this.#documents(
        scope,
        index,
        pages.map(([, record]) => record?.document),
        known,
      );
      for (const [id, record] of pages)
        if (record === undefined) index.pages.delete(id);
        else putPage(index, { ...record, id }, documents.get(record.document ?? ''));
    }
    if (areContentsChanged) resolveContents(index);
    index.root = root;
  }

  async #documents(
    scope: Pick<Scope, 'workers'>,
    index: SpaceIndex,
    names: readonly (string | undefined)[],
    known: ReadonlyMap<string, IndexedDocument> = new Map(),
  ): Promise<ReadonlyMap<string, IndexedDocument>> {
    const missing = names.flatMap((name) => (name === undefined || known.has(name) ? [] : name));
    const documents = new Map(known);
    let done = 0;
    for (const [name, facts] of await this.facts.of(scope, index.pool, missing)) {
      documents.set(name, indexedDocument(index, name, facts));
      done += 1;
      // Other requests get their turn: a document takes up to a millisecond.
      if (done % untilTurn === 0) await setImmediate();
    }
    return documents;
  }
}

/** What changed, by id, some at a time; `undefined` for what is not there any more. */
async function* batches(
  differences: AsyncIterable<{ key: string; after?: unknown }>,
): AsyncGenerator<(readonly [id: string, record: unknown])[], void> {
  let batch: (readonly [string, unknown])[] = [];
  for await (const { key, after } of differences) {
    batch.push([idIn(key), after]);
    if (batch.length < atOnce) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
