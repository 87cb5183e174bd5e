import { AppError } from '@scriptorium/contracts';
import { compiledModule, workerTask, type Scope } from '@scriptorium/platform';
import type { RichDocument } from '@scriptorium/rich-text';
import { LRUCache } from 'lru-cache';
import { setImmediate } from 'node:timers/promises';
import type { ContentObjects } from '../../versions/index.js';
import type { DocumentAnalysis } from './analyse-document.js';
import { analyseSeen, analyseTexts } from './analyse.task.js';
import type { Seen } from './see-document.js';
import { seenAs } from './seen-as.queries.js';

const common = {
  module: compiledModule('./analyse.task.js', import.meta.url),
  withinMs: 30_000,
  tooCostly: () =>
    new AppError('unavailable', [], { message: 'The content takes too long to be read', retryAfter: 30 }),
};
const analyseTask = workerTask<typeof analyseTexts>({ ...common, name: 'analyse_documents', run: 'analyseTexts' });
const seenTask = workerTask<typeof analyseSeen>({ ...common, name: 'analyse_seen_documents', run: 'analyseSeen' });

/** Texts of at most this length in all are analysed by the process itself: a worker would take longer. */
const longestInline = 16_384;
/** Documents of a batch: those that are read from the database, and given to a worker, at once. */
const batchSize = 64;
/** Batches at a time, so that two processors have work. */
const batchesAtOnce = 2;
const longestTask = 1024 * 1024;
/**
 * How long a worker is waited for. This can be longer than the request, since later requests use the result as well.
 */
const waitMs = 60_000;

/** The setting for everything that is derived from content and kept in memory. */
interface SharedMemory {
  readonly SEARCH_MEMORY_MB: number;
}

/** The shares of that memory. */
const shares = { analyses: 0.3, indexes: 0.6, links: 0.1 } as const;

/** The analyses of documents. Each is made when it is first asked for, and cached as long as there is room. */
export class DocumentAnalyses {
  readonly #objects: ContentObjects;
  readonly #known: LRUCache<string, DocumentAnalysis>;

  constructor(
    objects: ContentObjects,
    private readonly memory: SharedMemory,
  ) {
    this.#objects = objects;
    this.#known = new LRUCache({ maxSize: shareOfMemory(memory, 'analyses'), sizeCalculation: ({ bytes }) => bytes });
  }

  /** The bytes that what is made of analyses may take. */
  bytesFor(part: 'indexes' | 'links'): number {
    return shareOfMemory(this.memory, part);
  }

  /** The analyses of those of these documents that are there, by name. Callers must not change them. */
  async of(
    { workers }: Pick<Scope, 'workers'>,
    pool: string,
    names: readonly string[],
  ): Promise<Map<string, DocumentAnalysis>> {
    const found = new Map<string, DocumentAnalysis>();
    const missing: string[] = [];
    for (const name of new Set(names)) {
      const known = this.#known.get(`${pool}/${name}`);
      if (known === undefined) missing.push(name);
      else found.set(name, known);
    }
    for (let start = 0; start < missing.length; start += batchSize * batchesAtOnce) {
      const batches = Array.from({ length: batchesAtOnce }, (_, index) =>
        missing.slice(start + index * batchSize, start + (index + 1) * batchSize),
      );
      await Promise.all(batches.map((names) => this.#derive(workers, pool, names, found)));
    }
    return found;
  }

  /**
   * The analysis of one of these documents as somebody sees it: without what conditions hide, and with the
   * conditions that hold replaced by their content. `known`: its analysis, as `of` gives it.
   */
  async seen(
    { workers }: Pick<Scope, 'workers'>,
    pool: string,
    { name, known, seen }: { name: string; known: DocumentAnalysis; seen: Seen },
  ): Promise<DocumentAnalysis> {
    if (known.expressions.length === 0) return known;
    const key = `${pool}/${name} ${seenAs(known.expressions, seen)}`;
    const before = this.#known.get(key);
    if (before !== undefined) return before;
    const text = (await this.#objects.texts(pool, [name])).get(name) ?? '{"nodes":[]}';
    const input = [{ text, seen }];
    const [analysis] =
      text.length <= longestInline
        ? analyseSeen(input)
        : await workers.run(seenTask, input, { deadline: Date.now() + waitMs });
    this.#known.set(key, analysis);
    return analysis as DocumentAnalysis;
  }

  /**
   * The analyses of those of these documents that are there, each in another form, by name. `as`: names the form; the
   * same document in a form of the same name is the same.
   */
  async ofChanged(
    { workers }: Pick<Scope, 'workers'>,
    pool: string,
    wanted: readonly { name: string; as: string }[],
    change: (document: RichDocument) => RichDocument,
  ): Promise<Map<string, DocumentAnalysis>> {
    const found = new Map<string, DocumentAnalysis>();
    const missing = new Map<string, string>();
    for (const { name, as } of wanted) {
      const key = `${pool}/${name} as ${as}`;
      const known = this.#known.get(key);
      if (known === undefined) missing.set(name, key);
      else found.set(name, known);
    }
    const names = [...missing.keys()];
    for (let start = 0; start < names.length; start += batchSize) {
      const texts = await this.#objects.texts(pool, names.slice(start, start + batchSize));
      const changed = new Map<string, string>();
      for (const [name, text] of texts) {
        changed.set(name, JSON.stringify(change(JSON.parse(text) as RichDocument)));
        await setImmediate();
      }
      for (const [name, analysis] of await analysed(workers, changed)) {
        this.#known.set(missing.get(name) ?? '', analysis);
        found.set(name, analysis);
      }
    }
    return found;
  }

  async #derive(
    workers: Scope['workers'],
    pool: string,
    names: readonly string[],
    found: Map<string, DocumentAnalysis>,
  ): Promise<void> {
    if (names.length === 0) return;
    const texts = await this.#objects.texts(pool, names);
    for (const [name, analysis] of await analysed(workers, texts)) {
      this.#known.set(`${pool}/${name}`, analysis);
      found.set(name, analysis);
    }
  }
}

async function analysed(
  workers: Scope['workers'],
  texts: ReadonlyMap<string, string>,
): Promise<(readonly [name: string, analysis: DocumentAnalysis])[]> {
  const tasks = tasksOf([...texts]);
  const run = async (task: readonly (readonly [string, string])[]) => {
    const length = lengthOf(task);
    const input = task.map(([, text]) => text);
    const analyses =
      length <= longestInline
        ? analyseTexts(input)
        : await workers.run(analyseTask, input, { deadline: Date.now() + waitMs });
    return task.map(([name], index) => [name, analyses[index] as DocumentAnalysis] as const);
  };
  const all = [];
  for (const task of tasks) all.push(...(await run(task)));
  return all;
}

function lengthOf(task: readonly (readonly [string, string])[]): number {
  return task.reduce((sum, [, { length }]) => sum + length, 0);
}

/** The texts in parts that a worker can take: what it is sent is copied, and it ends within its time. */
function tasksOf(texts: readonly (readonly [string, string])[]): (readonly [string, string])[][] {
  const tasks: (readonly [string, string])[][] = [[]];
  let length = 0;
  for (const text of texts) {
    if (length > 0 && length + text[1].length > longestTask) {
      tasks.push([]);
      length = 0;
    }
    tasks.at(-1)?.push(text);
    length += text[1].length;
  }
  return tasks;
}

/** The bytes that one of them may take. */
function shareOfMemory({ SEARCH_MEMORY_MB }: SharedMemory, part: keyof typeof shares): number {
  return Math.floor(SEARCH_MEMORY_MB * 1024 * 1024 * shares[part]);
}
