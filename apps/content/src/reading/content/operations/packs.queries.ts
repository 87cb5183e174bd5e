import { AppError, contentBounds } from '@scriptorium/contracts';
import { readDirectory, readSlice, type PackDirectory, type Slice } from '@scriptorium/openapi';
import { compiledModule, workerTask, type Scope } from '@scriptorium/platform';
import { readFormPart } from '../../../library/index.js';
import type { ContentObjects, FileRecord } from '../../../versions/index.js';
import type { packOfText } from './pack-of-file.task.js';

const packTask = workerTask<typeof packOfText>({
  name: 'pack_of_file',
  module: compiledModule('./pack-of-file.task.js', import.meta.url),
  run: 'packOfText',
  withinMs: 30_000,
  tooCostly: () => new AppError('too_large', [], { message: 'The specification takes too long to be read' }),
});
const waitMs = 40_000;

interface Range {
  start: number;
  end: number;
}

/** The operations and schemas of a version of a specification, each read when it is needed. */
export interface OpenPack {
  /** Differs for other bytes. */
  name: string;
  directory: PackDirectory;
  /** A part of its bytes; `undefined` when they are gone. */
  read: (range: Range) => Promise<Uint8Array | undefined>;
}

/** A slice as it was written, and how many characters it is as JSON. */
export interface ReadSlice {
  value: unknown;
  length: number;
}

type Objects = Pick<ContentObjects, 'deriving' | 'derived' | 'files'>;

/** What one entry of what is derived from content stands for, in characters of JSON: parsed they take more. */
const charactersOfEntry = 40;

/**
 * The pack of a version of a specification; `undefined` when it is not there.
 * @throws AppError `unavailable`
 */
export async function packOfSpec(
  { derived, files }: Objects,
  { spec, pack: hash }: { spec: string; pack: string },
): Promise<OpenPack | undefined> {
  const name = `pack ${hash}`;
  const read = async (range: Range) => (await readFormPart(files, { spec, hash }, range))?.bytes;
  const known = derived.get(name) as PackDirectory | undefined;
  if (known !== undefined) return { name, directory: known, read };
  const first = await readFormPart(files, { spec, hash }, { start: 0, end: 1 });
  if (first === undefined) return undefined;
  const directory = await readDirectory(first.size, async (range) => (await read(range)) ?? new Uint8Array());
  keepDirectory(derived, name, directory);
  return { name, directory, read };
}

/** The same of a file of the space, which is compiled when it is first asked for. `undefined` when it is none. */
export async function packOfFile(
  { workers }: Pick<Scope, 'workers'>,
  { deriving, derived, files }: Objects,
  pool: string,
  { hash, size }: FileRecord,
): Promise<OpenPack | undefined> {
  if (size > contentBounds.computedFromBytes) return undefined;
  const name = `pack of ${pool} ${hash}`;
  const kept = () => derived.get(`bytes of ${name}`) as { pack: Uint8Array | null } | undefined;
  const make = async (): Promise<{ pack: Uint8Array | null } | undefined> => {
    const bytes = await files.bytes(pool, hash);
    // They may be back the next time.
    if (bytes === undefined) return undefined;
    const made = { pack: await compiled({ workers }, bytes.toString('utf8')) };
    derived.set(`bytes of ${name}`, made, { size: 5 + Math.ceil((made.pack?.length ?? 0) / 100) });
    return made;
  };
  const { pack = null } = kept() ?? (await deriving.run(name, async () => kept() ?? (await make()))) ?? {};
  if (pack === null) return undefined;
  const read = ({ start, end }: Range) => Promise.resolve(pack.subarray(start, end));
  const known = derived.get(name) as PackDirectory | undefined;
  const directory = known ?? (await readDirectory(pack.length, read));
  if (known === undefined) keepDirectory(derived, name, directory);
  return { name, directory, read };
}

async function compiled({ workers }: Pick<Scope, 'workers'>, text: string): Promise<Uint8Array | null> {
  try {
    return await workers.run(packTask, text, { deadline: Date.now() + waitMs });
  } catch (error) {
    if (error instanceof AppError && error.reason === 'too_large') return null;
    throw error;
  }
}

function keepDirectory(derived: ContentObjects['derived'], name: string, directory: PackDirectory): void {
  const { operations, webhooks, schemas } = directory;
  derived.set(name, directory, { size: 5 + 5 * (operations.size + webhooks.size + schemas.size) });
}

/** Bytes between two slices that are read with them rather than in another read. */
const gap = 16 * 1024;
const readsAtOnce = 8;

/** Slices of a pack by their offsets. Those that were not read before are read in as few parts as are useful. */
export async function slicesOf(
  { derived }: Pick<Objects, 'derived'>,
  pack: OpenPack,
  slices: readonly Slice[],
): Promise<Map<number, ReadSlice>> {
  const found = new Map<number, ReadSlice>();
  const missing: Slice[] = [];
  for (const slice of new Map(slices.map((one) => [one.offset, one])).values()) {
    const known = derived.get(`${pack.name} ${slice.offset}`) as ReadSlice | undefined;
    if (known === undefined) missing.push(slice);
    else found.set(slice.offset, known);
  }
  const runs = runsOf(missing);
  for (let start = 0; start < runs.length; start += readsAtOnce)
    await Promise.all(
      runs.slice(start, start + readsAtOnce).map(async (run) => {
        const [first] = run;
        const last = run.at(-1);
        if (first === undefined || last === undefined) return;
        const bytes = await pack.read({ start: first.offset, end: last.offset + last.length });
        for (const { offset, length } of bytes === undefined ? [] : run) {
          const from = offset - first.offset;
          const read = readSlice(bytes?.subarray(from, from + length) ?? new Uint8Array());
          derived.set(`${pack.name} ${offset}`, read, { size: 2 + Math.ceil(read.length / charactersOfEntry) });
          found.set(offset, read);
        }
      }),
    );
  return found;
}

/** Slices in their order, those together that stand near each other. */
function runsOf(slices: readonly Slice[]): Slice[][] {
  const runs: Slice[][] = [];
  let end = -Infinity;
  for (const slice of [...slices].sort((a, b) => a.offset - b.offset)) {
    const run = slice.offset - end <= gap ? runs.at(-1) : undefined;
    if (run === undefined) runs.push([slice]);
    else run.push(slice);
    end = slice.offset + slice.length;
  }
  return runs;
}
