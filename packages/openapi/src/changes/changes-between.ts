import { refsIn } from '../documents/pointers.js';
import type { CompleteOperation } from '../slices/operations.js';
import type { Slice } from '../slices/pack-format.js';
import { valueOf, type Pack } from '../slices/pack.js';
import { schemaKey } from '../slices/schema-key.js';
import { compareOperations, type Sides } from './compare-operations.js';
import { compareSchemas } from './compare-schemas.js';
import { versionsOf, type Comparison, type Versions } from './comparison.js';
import { isSame, type Difference, type Use } from './difference.js';
import { renamedIn, withPathOf } from './renamed-paths.js';

/** A part of a specification that is not what it was. */
export interface SpecificationChange {
  kind: 'operation' | 'webhook' | 'schema';
  change: 'added' | 'removed' | 'changed';
  /** Whether a client that was written for the old version can fail. */
  breaking: boolean;
  method?: string;
  /** The path of an operation, the name of a webhook. */
  path?: string;
  /** The name of a schema. */
  name?: string;
  /** What changed, in short texts: first what is breaking. */
  what: string[];
}

const mostTexts = 50;

/** What a client has to know of a new version, by operation and by schema, in the order of the new version. */
export function changesBetween(before: Pack, after: Pack): SpecificationChange[] {
  const packs = { before, after, versions: versionsOf(before, after) };
  return [...operationChanges('operation', packs), ...operationChanges('webhook', packs), ...schemaChanges(packs)];
}

interface Packs {
  before: Pack;
  after: Pack;
  versions: Versions;
}

/** The client of a webhook reads the request, and writes the response. */
function sidesOf(kind: 'operation' | 'webhook', versions: Versions): Sides {
  const written: Comparison = { request: true, response: false, versions };
  const read: Comparison = { request: false, response: true, versions };
  return kind === 'operation' ? { sent: written, received: read } : { sent: read, received: written };
}

function operationChanges(kind: 'operation' | 'webhook', packs: Packs): SpecificationChange[] {
  const { before, after, versions } = packs;
  const [old, now] = kind === 'operation' ? [before.operations, after.operations] : [before.webhooks, after.webhooks];
  const renamed = kind === 'operation' ? renamedIn(old, now) : new Map<string, string>();
  const changes: SpecificationChange[] = [];
  for (const [name, slice] of now) {
    const other = old.get(renamed.get(name) ?? name);
    if (other === undefined) changes.push({ kind, change: 'added', breaking: false, ...placeOf(name), what: [] });
    else if (!isSameSlice(before, other, after, slice)) {
      const [a, b] = [valueOf(before, other) as CompleteOperation, valueOf(after, slice) as CompleteOperation];
      versions.followed.clear();
      const path = a.path === b.path ? [] : [{ text: `path is ${b.path}, was ${a.path}`, isBreaking: false }];
      const what = [...path, ...compareOperations(withPathOf(b, a), b, sidesOf(kind, versions))];
      if (!isSame(a, b)) changes.push({ kind, change: 'changed', ...placeOf(name), ...summary(what) });
    }
  }
  const kept = new Set([...now.keys(), ...renamed.values()]);
  const gone = [...old.keys()].filter((name) => !kept.has(name));
  for (const name of gone) changes.push({ kind, change: 'removed', breaking: true, ...placeOf(name), what: [] });
  return changes;
}

function placeOf(name: string): { method: string; path: string } {
  const space = name.indexOf(' ');
  return { method: name.slice(0, space), path: name.slice(space + 1) };
}

/** Equal parts are equal bytes, unless their members changed places. */
function isSameSlice(before: Pack, a: Slice, after: Pack, b: Slice): boolean {
  const [left, right] = [bytesOf(before, a), bytesOf(after, b)];
  return Buffer.compare(left, right) === 0;
}

function bytesOf({ bytes }: Pack, { offset, length }: Slice): Uint8Array {
  return bytes.subarray(offset, offset + length);
}

function summary(differences: readonly Difference[]): { breaking: boolean; what: string[] } {
  const ordered = [...differences].sort((a, b) => Number(b.isBreaking) - Number(a.isBreaking));
  const what = [...new Set(ordered.map(({ text }) => text))].slice(0, mostTexts);
  return { breaking: ordered[0]?.isBreaking ?? false, what };
}

function schemaChanges({ before, after, versions }: Packs): SpecificationChange[] {
  const changes: SpecificationChange[] = [];
  let uses: ((name: string) => Use) | undefined;
  for (const slice of after.index.schemas) {
    const { name } = slice;
    // Parts without a name of their own are compared where they stand.
    if (name.startsWith('/')) continue;
    const other = before.index.schemas[before.schemas.get(name) ?? -1];
    if (other === undefined) changes.push({ kind: 'schema', change: 'added', breaking: false, name, what: [] });
    else if (!isSameSlice(before, other, after, slice)) {
      const [a, b] = [valueOf(before, other), valueOf(after, slice)];
      uses ??= usesIn([before, after]);
      versions.followed.clear();
      const what = compareSchemas(a, b, { ...uses(name), versions });
      if (!isSame(a, b)) changes.push({ kind: 'schema', change: 'changed', name, ...summary(what) });
    }
  }
  for (const { name } of before.index.schemas)
    if (!name.startsWith('/') && !after.schemas.has(name))
      changes.push({ kind: 'schema', change: 'removed', breaking: false, name, what: [] });
  return changes;
}

/** Who writes what a schema describes, in any of the versions. */
function usesIn(packs: readonly Pack[]): (name: string) => Use {
  const [request, response] = [new Set<string>(), new Set<string>()];
  for (const pack of packs) {
    for (const slice of pack.index.operations) addUses(pack, slice, request, response);
    for (const slice of pack.index.webhooks) addUses(pack, slice, response, request);
  }
  return (name) => ({ request: request.has(name), response: response.has(name) });
}

function addUses(pack: Pack, slice: Slice, sent: Set<string>, received: Set<string>): void {
  const { parameters, requestBody, responses } = (valueOf(pack, slice) as CompleteOperation).operation;
  addReached(pack, [parameters, requestBody], sent);
  addReached(pack, responses, received);
}

function addReached(pack: Pack, value: unknown, found: Set<string>): void {
  const rest = [...refsIn(value)].map(schemaKey);
  for (let key = rest.pop(); key !== undefined; key = rest.pop()) {
    if (key === null || found.has(key)) continue;
    found.add(key);
    const places = pack.index.schemas[pack.schemas.get(key) ?? -1]?.schemas ?? [];
    for (const place of places) rest.push(pack.index.schemas[place]?.name ?? null);
  }
}
