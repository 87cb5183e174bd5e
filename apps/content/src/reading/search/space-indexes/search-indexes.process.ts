import { createKeyedQueue } from '@scriptorium/event-sourcing';
import type { Scope } from '@scriptorium/platform';
import { diff, EMPTY_ROOT, TreeError } from '@scriptorium/tree';
import { setImmediate } from 'node:timers/promises';
import type { RichDocument } from '@scriptorium/rich-text';
import { seenAs, type DocumentAnalyses, type DocumentAnalysis, type Seen } from '../../analysis/index.js';
import type { SeenPart } from '../../page-visibility/index.js';
import {
  type ContentObjects,
  idIn,
  keys,
  type PageRecord,
  type ReusableContentRecord,
} from '../../../versions/index.js';
import { IndexCache } from './index-cache.js';
import { bringSpecs, describedBy, hasSpecs } from './spec-words.process.js';
import { describing, specsNamed, type Describe } from './spec-words.queries.js';
import {
  emptyIndex,
  indexedDocument,
  putPage,
  resolveContents,
  specsOf,
  type IndexedDocument,
  type SpaceIndex,
} from './space-index.js';

/** The content that is searched: the tree of a revision. */
export interface SearchedContent {
  organization: string;
  space: string;
  pool: string;
  root: string;
  /** The language of the space. */
  language: string | null;
}

/** The documents of a page as somebody sees them. */
export interface SeenDocuments {
  parts: readonly SeenPart[];
  seen: Seen;
  see: Describe;
}

/** Searches that wait for one index. Further ones are refused. */
const mostWaiting = 500;
/** Pages that are put into an index at once. */
const atOnce = 128;
/** Documents that are put into it before other requests get their turn. */
const untilTurn = 16;

/**
 * The indexes of spaces, each made of one revision. Before an index is used, it is brought to the wanted revision by
 * the difference of the two trees, so it is never stale.
 */
export class SearchIndexes {
  readonly #queue = createKeyedQueue(mostWaiting);
  readonly #cache: IndexCache;

  constructor(
    private readonly objects: ContentObjects,
    private readonly analyses: DocumentAnalyses,
  ) {
    this.#cache = new IndexCache(analyses.bytesFor('indexes'));
  }

  /** What `use` returns for the index of this content. It must use it before its first `await`: indexes change. */
  async with<T>(
    scope: Pick<Scope, 'store' | 'workers'>,
    content: SearchedContent,
    use: (index: SpaceIndex) => T,
  ): Promise<T> {
    const cached = this.#fitting(content)?.index;
    if (cached?.root === content.root && (await hasSpecs(scope, this.objects, content, cached))) {
      const { index } = this.#fitting(content) ?? {};
      if (index === cached && index.root === content.root) return use(index);
    }
    return this.#queue.run(content.space, async () => use(await this.#bringTo(scope, content)));
  }

  /** What is known of documents of pages as somebody sees them, with what their blocks show of specifications. */
  async withSpecs<P extends SeenDocuments>(
    scope: Pick<Scope, 'store' | 'workers'>,
    content: SearchedContent,
    pages: readonly P[],
  ): Promise<SeenPart[][]> {
    const names = pages.flatMap(({ parts }) => parts.flatMap(({ analysis }) => specsOf(analysis)));
    if (names.length === 0) return pages.map(({ parts }) => [...parts]);
    const found = await specsNamed(scope, this.objects, content, names);
    const describe = await describing(scope, this.objects, found);
    const described: SeenPart[][] = [];
    for (const { parts, seen, see } of pages) {
      const wanted = parts.flatMap(({ name, analysis, known }) => {
        const specs = specsOf(analysis);
        const as = `${seenAs(known.expressions, seen)} ${describedBy(found, specs)}`;
        return specs.length === 0 ? [] : [{ name, as }];
      });
      const shown = (document: RichDocument): RichDocument => describe(see(document));
      const changed = await this.analyses.ofChanged(scope, content.pool, wanted, shown);
      described.push(parts.map((part) => ({ ...part, analysis: changed.get(part.name) ?? part.analysis })));
    }
    return described;
  }

  #fitting({ space, pool, ...of }: SearchedContent): ReturnType<IndexCache['get']> {
    const cached = this.#cache.get(space, of);
    return cached?.index.pool === pool ? cached : undefined;
  }

  async #bringTo(scope: Pick<Scope, 'store' | 'workers'>, content: SearchedContent): Promise<SpaceIndex> {
    const { organization, space, pool, root, language } = content;
    const cached = this.#fitting(content);
    if (cached?.index.root === root && (await hasSpecs(scope, this.objects, content, cached.index)))
      return cached.index;
    // Nobody may use it before it is whole again.
    this.#cache.drop(space);
    const isUsable = cached !== undefined && !this.#cache.isOutgrown(cached);
    const index = isUsable ? await this.#broughtTo(scope, cached.index, root) : undefined;
    const whole =
      index ?? emptyIndex(pool, language, EMPTY_ROOT, this.#cache.dictionaryFor({ organization, language }));
    if (index === undefined) await this.#apply(scope, whole, root);
    await bringSpecs(scope, { objects: this.objects, analyses: this.analyses }, content, whole);
    const words = index !== undefined && isUsable ? cached.words : whole.dictionary.size();
    this.#cache.put(space, whole, { organization, language, words });
    return whole;
  }

  /** An index brought to another tree; `undefined` when the tree that it was made of is not there any more. */
  async #broughtTo(
    scope: Pick<Scope, 'store' | 'workers'>,
    index: SpaceIndex,
    root: string,
  ): Promise<SpaceIndex | undefined> {
    try {
      await this.#apply(scope, index, root);
      return index;
    } catch (error) {
      if (error instanceof TreeError) return undefined;
      throw error;
    }
  }

  /** Puts what differs between the tree of the index and another one into the index. */
  async #apply(scope: Pick<Scope, 'store' | 'workers'>, index: SpaceIndex, root: string): Promise<void> {
    const parts = this.objects.partsOf(index.pool);
    const changed = <R>(prefix: string, documentOf: (id: string, record: R) => string | undefined) =>
      ahead(batches<R>(diff(parts, index.root, root, { prefix })), (batch) =>
        this.#read(
          scope,
          index.pool,
          batch.flatMap(([id, record]) => (record === undefined ? [] : (documentOf(id, record) ?? []))),
        ),
      );
    let areContentsChanged = false;
    for await (const [batch, analyses] of changed<ReusableContentRecord>(
      keys.reusableContents,
      (_, one) => one.document,
    )) {
      areContentsChanged = true;
      for await (const { id, record, document } of indexed(index, batch, analyses))
        if (record === undefined || document === undefined) index.contents.delete(id);
        else index.contents.set(id, document);
    }
    // A page that was moved or renamed keeps what is known of its document.
    const unknownOf = (id: string, { document }: PageRecord) =>
      index.pages.get(id)?.document?.name === document ? undefined : document;
    for await (const [batch, analyses] of changed<PageRecord>(keys.pages, unknownOf))
      for await (const { id, record, document } of indexed(index, batch, analyses))
        if (record === undefined) index.pages.delete(id);
        else {
          const before = index.pages.get(id)?.document;
          putPage(index, { ...record, id }, before?.name === record.document ? before : document);
        }
    if (areContentsChanged) resolveContents(index);
    index.root = root;
  }

  #read(scope: Pick<Scope, 'store' | 'workers'>, pool: string, names: readonly string[]): Promise<Analyses> {
    return names.length === 0 ? Promise.resolve(new Map()) : this.analyses.of(scope, pool, names);
  }
}

type Analyses = ReadonlyMap<string, DocumentAnalysis>;
type Changed<R> = readonly [id: string, record: R | undefined];

/**
 * What changed, with the documents as the index has them. Other requests get their turn: a document takes up to a
 * millisecond.
 */
async function* indexed<R extends { document?: string }>(
  index: SpaceIndex,
  batch: readonly Changed<R>[],
  analyses: Analyses,
): AsyncGenerator<{ id: string; record: R | undefined; document: IndexedDocument | undefined }, void> {
  let done = 0;
  for (const [id, record] of batch) {
    const name = record?.document;
    const known = name === undefined ? undefined : analyses.get(name);
    const document =
      name === undefined || known === undefined
        ? undefined
        : indexedDocument(index, { name, isDescribed: false }, known);
    yield { id, record, document };
    if (known === undefined) continue;
    done += 1;
    if (done % untilTurn === 0) await setImmediate();
  }
}

/** What `read` gives for each of some values. The next value is read while whoever asks works on one. */
async function* ahead<T, R>(
  values: AsyncIterable<T>,
  read: (value: T) => Promise<R>,
): AsyncGenerator<readonly [value: T, result: R], void> {
  let last: { value: T; result: Promise<R> } | undefined;
  for await (const value of values) {
    const result = read(value);
    // Whoever stops before must not leave a failure that nobody handles.
    result.catch(() => undefined);
    if (last !== undefined) yield [last.value, await last.result];
    last = { value, result };
  }
  if (last !== undefined) yield [last.value, await last.result];
}

/** What changed, by id, some at a time; `undefined` for what is not there any more. */
async function* batches<R>(
  differences: AsyncIterable<{ key: string; after?: unknown }>,
): AsyncGenerator<Changed<R>[], void> {
  let batch: Changed<R>[] = [];
  for await (const { key, after } of differences) {
    batch.push([idIn(key), after as R | undefined]);
    if (batch.length < atOnce) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
