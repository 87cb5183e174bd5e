import { AppError } from '@scriptorium/contracts';
import type { StoreScope } from '@scriptorium/event-sourcing';
import type { Scope, ServiceContext } from '@scriptorium/platform';
import { decodePart, EMPTY_ROOT, nameOfText, TreeError, type Part } from '@scriptorium/tree';
import * as z from 'zod';
import { branches, revisions } from '../branches/index.js';
import type { ContentObjects } from '../object-store/index.js';
import { type Findings, noteDamage } from './findings.js';
import { fileMark, mark, unmarked } from './marks.operational.js';
import { referencesIn } from './references.js';

/**
 * Where a walk through the revisions of a pool is: the branch that it reads, and the number of its last revision that
 * is done.
 */
export const Place = z.object({ branch: z.string(), number: z.int() });
export type Place = z.output<typeof Place>;

export const firstPlace: Place = { branch: '', number: -1 };

/** A walk through a pool. */
export interface PoolWalk {
  readonly scope: Pick<Scope, 'database'>;
  readonly store: StoreScope;
  readonly objects: ContentObjects;
  readonly pool: string;
  /** A space whose branches do not count, since it is being purged. */
  readonly but?: string | undefined;
  /** Names the marks of this walk. */
  readonly check: string;
  readonly findings: Findings;
  /** Whether the bytes of files are asked for in their store, too. */
  readonly looksAtFiles: boolean;
  /** Whether this step has to end. */
  isOver(): boolean;
}

/** Ends a step in the middle of a tree. What is marked so far need not be read again. */
class OutOfTime extends Error {
  override readonly name = 'OutOfTime';
}

const revisionsAtOnce = 100;
/** A step ends after so long. */
const stepMs = 4_000;

/**
 * Begins a step of a walk.
 * @throws {AppError} `unavailable` while not all revisions are known: what is read here decides what is missing and
 * what goes for ever
 */
export function beginStep(context: ServiceContext, walk: Omit<PoolWalk, 'scope' | 'isOver'>): PoolWalk {
  if (!walk.store.isLive([branches, revisions]))
    throw new AppError('unavailable', [], { message: 'The revisions of the pool are not known yet' });
  const until = context.now() + stepMs;
  return { ...walk, scope: context, isOver: () => context.now() >= until };
}

/**
 * Marks everything that the revisions of a pool name, from a place on, and looks whether it is there and whole.
 * @returns where to go on, or `undefined` when all is marked
 */
export async function walkPool(walk: PoolWalk, from: Place): Promise<Place | undefined> {
  const { store, pool, but } = walk;
  let place = from;
  try {
    for (;;) {
      const filter = { pool, _id: { $gte: place.branch }, ...(but === undefined ? {} : { space: { $ne: but } }) };
      const [branch] = await store.read(branches).find(filter).sort({ _id: 1 }).limit(1).toArray();
      if (branch === undefined) return undefined;
      if (branch._id !== place.branch) place = { branch: branch._id, number: -1 };
      const newer = { branch: branch._id, number: { $gt: place.number } };
      const history = await store.read(revisions).find(newer).sort({ number: 1 }).limit(revisionsAtOnce).toArray();
      for (const { number, tree } of history) {
        await markTree(walk, tree);
        walk.findings.revisions += 1;
        place = { branch: branch._id, number };
      }
      if (history.length === revisionsAtOnce) continue;
      if (branch.head !== null) await markTree(walk, branch.head.tree);
      if (branch.request?.pending != null) await markObjects(walk, [branch.request.pending.conflicts]);
      // Ids are letters, digits and `-_`: this comes directly behind the branch.
      place = { branch: `${branch._id} `, number: -1 };
    }
  } catch (error) {
    if (error instanceof OutOfTime) return place;
    throw error;
  }
}

async function markTree(walk: PoolWalk, root: string): Promise<void> {
  if (root === EMPTY_ROOT) return;
  const [open] = await unmarked(walk.scope, walk.check, [root]);
  if (open !== undefined) await markPart(walk, open);
  if (walk.isOver()) throw new OutOfTime();
}

/** Marks what is below a part and then the part: what is marked needs no second look. */
async function markPart(walk: PoolWalk, name: string): Promise<void> {
  const part = partOf(walk, name, (await textsOf(walk, [name])).get(name));
  if (part !== undefined && 'children' in part) {
    const children = part.children.map(([, child]) => child);
    for (const child of await unmarked(walk.scope, walk.check, children)) await markPart(walk, child);
  } else if (part !== undefined) {
    const { objects, files, others } = referencesIn(part.entries);
    await markObjects(walk, objects);
    await markFiles(walk, files);
    await mark(walk.scope, walk.check, await unmarked(walk.scope, walk.check, others));
  }
  await mark(walk.scope, walk.check, [name]);
  walk.findings.objects += 1;
  if (walk.isOver()) throw new OutOfTime();
}

function partOf({ findings, pool }: PoolWalk, name: string, text: string | undefined): Part | undefined {
  if (text === undefined) return undefined;
  try {
    return decodePart(text);
  } catch (error) {
    if (!(error instanceof TreeError)) throw error;
    noteDamage(findings, 'corrupt', `${pool}/${name}`);
    return undefined;
  }
}

async function markObjects(walk: PoolWalk, names: readonly string[]): Promise<void> {
  const open = await unmarked(walk.scope, walk.check, [...new Set(names)]);
  await textsOf(walk, open);
  await mark(walk.scope, walk.check, open);
  walk.findings.objects += open.length;
}

/** The texts of objects. Notes those that are not there, or are not what their names say, and leaves them out. */
async function textsOf(
  { objects, pool, findings }: PoolWalk,
  names: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const texts = await objects.texts(pool, names);
  for (const name of names) {
    const text = texts.get(name);
    if (text !== undefined && nameOfText(text) === name) continue;
    noteDamage(findings, text === undefined ? 'missing' : 'corrupt', `${pool}/${name}`);
    texts.delete(name);
  }
  return texts;
}

async function markFiles(walk: PoolWalk, files: ReadonlyMap<string, number>): Promise<void> {
  const { scope, check, findings, pool, objects, looksAtFiles } = walk;
  const open = new Set(await unmarked(scope, check, [...files.keys()].map(fileMark)));
  const fresh = new Map([...files].filter(([hash]) => open.has(fileMark(hash))));
  findings.files += fresh.size;
  if (looksAtFiles)
    for (const hash of await objects.files.missing(pool, fresh))
      noteDamage(findings, 'missingFiles', `${pool}/${hash}`);
  await mark(scope, check, [...open]);
}
