import { slicesFor, type Slice } from '@scriptorium/openapi';
import { replaceBlocks, type Block, type Data, type Json, type RichDocument } from '@scriptorium/rich-text';
import { setImmediate } from 'node:timers/promises';
import { apiBlocksIn, type ApiUse } from '../../analysis/index.js';
import type { ContentObjects } from '../../../versions/index.js';
import type { ContentView } from '../view/view.queries.js';
import { slicesOf, type ReadSlice } from './packs.queries.js';
import { schemasThatFit } from './schemas-that-fit.js';
import { specKeyOf, specOf, type ShownSpec, type SpecScope } from './spec-of.queries.js';

/** Of one document: blocks, specifications, characters of operations and schemas, and of operations alone. */
const most = { blocks: 2_000, specs: 50, characters: 512 * 1024, alone: 2 * 1024 * 1024 };
/** Blocks whose slices are read at once. */
const atOnce = 20;

type Objects = Pick<ContentObjects, 'deriving' | 'derived' | 'files'>;
type Found = { block: Block; use: ApiUse };

/**
 * The document with what its blocks show of specifications, in `data.resolved`; `null` for what is not there. Schemas
 * are flat: each comes once, with the first block that reaches it.
 */
export async function withOperations(
  scope: SpecScope,
  objects: Objects,
  view: Pick<ContentView, 'organization' | 'tree' | 'also'>,
  document: RichDocument,
): Promise<RichDocument> {
  const blocks = apiBlocksIn(document).slice(0, most.blocks);
  if (blocks.length === 0) return document;
  const specs = await specsOf(scope, objects, view, blocks);
  const page: Page = { given: new Set(), left: most.characters, leftAlone: most.alone, isWhole: true };
  const replaced = new Map<Block, Block>();
  for (let start = 0; start < blocks.length; start += atOnce) {
    for (const [block, resolved] of await resolve(objects, specs, blocks.slice(start, start + atOnce), page))
      replaced.set(block, { ...block, data: { ...block.data, resolved } });
    await setImmediate();
  }
  // The same content reads differently once its bytes are back.
  if (!page.isWhole) view.also.push('incomplete');
  return replaceBlocks(document, (block) => {
    const other = replaced.get(block);
    return other && [other];
  });
}

async function specsOf(
  scope: SpecScope,
  objects: Objects,
  view: Pick<ContentView, 'organization' | 'tree' | 'also'>,
  blocks: readonly Found[],
): Promise<Map<string, ShownSpec | null>> {
  const specs = new Map<string, ShownSpec | null>();
  for (const { use } of blocks) {
    const key = specKeyOf(use.ref);
    if (key === undefined || specs.has(key) || specs.size === most.specs) continue;
    specs.set(key, await specOf(scope, objects, view, use.ref));
  }
  return specs;
}

/** What a page has room for, and the schemas that it has. */
interface Page {
  given: Set<string>;
  left: number;
  leftAlone: number;
  /** Whether all bytes were there. */
  isWhole: boolean;
}

/** A block with the slices of what it shows. */
interface Wanted {
  block: Block;
  spec: ShownSpec;
  own: Slice | undefined;
  schemas: readonly Slice[];
}

type Read = ReadonlyMap<ShownSpec, ReadonlyMap<number, ReadSlice>>;

async function resolve(
  objects: Objects,
  specs: ReadonlyMap<string, ShownSpec | null>,
  blocks: readonly Found[],
  page: Page,
): Promise<[Block, Json][]> {
  const resolved: [Block, Json][] = [];
  const wanted: Wanted[] = [];
  for (const { block, use } of blocks) {
    const spec = specs.get(specKeyOf(use.ref) ?? '');
    if (spec === undefined) continue;
    const slices = spec === null ? null : slicesFor(spec.pack.directory, use.part);
    if (spec === null || slices === null) resolved.push([block, null]);
    else wanted.push({ block, spec, own: slices.own, schemas: slices.schemas });
  }
  const operations = await readAll(
    objects,
    wanted.map(({ spec, own }) => [spec, own === undefined ? [] : [own]]),
    page,
  );
  const reached = wanted.map(({ spec, schemas }) => schemas.map((slice) => ({ key: keyOf(spec, slice), ...slice })));
  for (let done = 0; done < wanted.length;) {
    const fitting = schemasThatFit(reached.slice(done), page);
    const next = wanted.slice(done, done + fitting.length);
    const schemas = await readAll(
      objects,
      next.map(({ spec }, index) => [spec, fitting[index] ?? []]),
      page,
    );
    for (const one of next) resolved.push([one.block, shown(one, { operations, schemas }, page)]);
    done += next.length;
  }
  return resolved;
}

async function readAll(
  objects: Objects,
  wanted: readonly (readonly [ShownSpec, readonly Slice[]])[],
  page: Page,
): Promise<Read> {
  const slices = new Map<ShownSpec, Slice[]>();
  for (const [spec, some] of wanted) slices.set(spec, [...(slices.get(spec) ?? []), ...some]);
  const read = new Map<ShownSpec, ReadonlyMap<number, ReadSlice>>();
  for (const [spec, some] of slices) {
    const found = await slicesOf(objects, spec.pack, some);
    page.isWhole &&= some.every(({ offset }) => found.has(offset));
    read.set(spec, found);
  }
  return read;
}

function keyOf({ pack }: ShownSpec, { offset }: Slice): string {
  return `${pack.name} ${offset}`;
}

function shown(
  { spec, own, schemas }: Wanted,
  { operations, schemas: read }: { operations: Read; schemas: Read },
  page: Page,
): Json {
  const operation = own === undefined ? undefined : operations.get(spec)?.get(own.offset);
  // The bytes of a version that is not kept any more are gone.
  if (own !== undefined && operation === undefined) return null;
  const fresh = schemas.filter((slice) => !page.given.has(keyOf(spec, slice)));
  const found = fresh.map(({ name, offset }) => [name, read.get(spec)?.get(offset)] as const);
  const length = found.reduce((sum, [, slice]) => sum + (slice?.length ?? Infinity), operation?.length ?? 0);
  const named = { spec: spec.spec, version: spec.version };
  if (length > page.left) return { ...named, ...alone(operation, page), schemas: {}, truncated: true };
  page.left -= length;
  page.leftAlone -= operation?.length ?? 0;
  for (const slice of fresh) page.given.add(keyOf(spec, slice));
  const values = found.map(([name, slice]) => [name, slice?.value as Json] as const);
  // Names are data of a specification; `fromEntries` defines members, whatever they are called.
  const flat: Data = Object.fromEntries(values);
  return { ...named, ...(operation !== undefined && { operation: operation.value as Json }), schemas: flat };
}

/** An operation without its schemas, as far as there is room for operations. */
function alone(operation: ReadSlice | undefined, page: Page): { operation?: Json } {
  if (operation === undefined || operation.length > page.leftAlone) return {};
  page.leftAlone -= operation.length;
  page.left -= operation.length;
  return { operation: operation.value as Json };
}
