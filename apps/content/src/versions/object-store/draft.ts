import {
  apply,
  canonical,
  count,
  getMany,
  layered,
  nameOfText,
  range,
  type Entry,
  type Json,
  type NewPart,
  type Parts,
} from '@scriptorium/tree';
import type { ContentObjects } from './content-objects.operational.js';
import type { NamedText } from './objects.operational.js';

/** A tree of content as reads see it. */
export interface ContentTree {
  readonly pool: string;
  get(key: string): Promise<Json | undefined>;
  getMany(keys: readonly string[]): Promise<Map<string, Json>>;
  /** Entries whose keys begin with a prefix, in the order of their keys; from the last one on with `reverse`. */
  range(prefix: string, options?: { limit?: number; reverse?: boolean }): Promise<Entry[]>;
  /** How many keys begin with a prefix. */
  count(prefix: string): Promise<number>;
  /** A document or other object that the tree names. */
  object(name: string): Promise<object>;
  /** Several of them at once. */
  objects(names: readonly string[]): Promise<Map<string, object>>;
}

/** A tree that is being changed. Nothing is stored before `written` is. */
export interface Draft extends ContentTree {
  put(key: string, value: Json): void;
  remove(key: string): void;
  /** Adds an object, and returns its name. */
  add(object: object): string;
  /** Adds an object whose text is made already, and returns its name. */
  addText(object: NamedText): string;
  /** The root of the changed tree, and everything that has to be stored for it. */
  written(): Promise<{ root: string; texts: NamedText[] }>;
}

/** The tree with a root, read from the objects of a pool. */
export function contentTree(objects: ContentObjects, pool: string, root: string): ContentTree {
  return treeOf(objects, pool, () => Promise.resolve({ root, parts: objects.partsOf(pool) }));
}

interface Rooted {
  root: string;
  parts: Parts;
}

function treeOf(objects: ContentObjects, pool: string, current: () => Promise<Rooted>): ContentTree {
  return {
    pool,
    async get(key) {
      const { root, parts } = await current();
      return (await getMany(parts, root, [key])).get(key);
    },
    async getMany(keys) {
      const { root, parts } = await current();
      return getMany(parts, root, keys);
    },
    async range(prefix, options = {}) {
      const { root, parts } = await current();
      return range(parts, root, { prefix, ...options });
    },
    async count(prefix) {
      const { root, parts } = await current();
      return count(parts, root, { prefix });
    },
    object: (name) => objects.require(pool, name),
    objects: (names) => objects.read(pool, names),
  };
}

/** A page has a title, a description, a condition and what it is computed from, within their own bounds. */
const limits = { valueBytes: 96 * 1024 };
/** JSON levels of an object: documents have several for each of theirs. */
const deepestObject = 2_000;

/** Objects that a draft adds. */
function createAdded(): Pick<Draft, 'add' | 'addText'> & {
  find(name: string): object | undefined;
  texts(): NamedText[];
} {
  const added = new Map<string, { text: string; object?: object }>();
  return {
    add(object) {
      const text = canonical(object, deepestObject);
      const name = nameOfText(text);
      added.set(name, { text, object });
      return name;
    },
    addText({ name, text }) {
      if (!added.has(name)) added.set(name, { text });
      return name;
    },
    find(name) {
      const own = added.get(name);
      return own === undefined ? undefined : (own.object ??= JSON.parse(own.text) as object);
    },
    texts: () => [...added].map(([name, { text }]) => ({ name, text })),
  };
}

/** A draft that begins with the tree of a root. */
export function createDraft(objects: ContentObjects, pool: string, from: string): Draft {
  const stored = objects.partsOf(pool);
  const added = createAdded();
  const made = new Map<string, NewPart>();
  let pending = new Map<string, Json | undefined>();
  let settled: Promise<Rooted> = Promise.resolve({ root: from, parts: stored });
  const applied = async ({ root, parts }: Rooted, edits: ReadonlyMap<string, Json | undefined>): Promise<Rooted> => {
    const written = await apply(parts, root, edits, { limits });
    for (const part of written.parts) made.set(part.name, part);
    return { root: written.root, parts: layered(stored, made.values()) };
  };
  /** Applies what was put and removed since the last read, so that reads show it. */
  const settle = (): Promise<Rooted> => {
    if (pending.size > 0) {
      const edits = pending;
      pending = new Map();
      settled = settled.then((before) => applied(before, edits));
    }
    return settled;
  };
  return {
    ...treeOf(objects, pool, settle),
    object: async (name) => added.find(name) ?? (await objects.require(pool, name)),
    put: (key, value) => void pending.set(key, value),
    remove: (key) => void pending.set(key, undefined),
    add: added.add,
    addText: added.addText,
    async written() {
      const { root } = await settle();
      return { root, texts: [...added.texts(), ...reachableOf(root, made)] };
    },
  };
}

/** Of the parts that were made on the way, those that the last root needs. */
function reachableOf(root: string, made: ReadonlyMap<string, NewPart>): NamedText[] {
  const needed = new Map<string, NewPart>();
  const open = [root];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const part = made.get(name);
    if (part === undefined || needed.has(name)) continue;
    needed.set(name, part);
    if ('children' in part.part) open.push(...part.part.children.map(([, child]) => child));
  }
  return [...needed.values()].map(({ name, text }) => ({ name, text }));
}
