import * as z from 'zod';
import { equalities, meets, readFilter, type Filter } from './filter.js';
import { noteIssues, readAs } from './read-as.js';
import { refusal } from './refusal.js';
import {
  attributeOf,
  partOf,
  withoutSchema,
  type Attribute,
  type Fields,
  type Part,
  type ResourceKind,
} from './resource.js';
import { itemOf, partsOf, plainValueOf, valueOf } from './values.js';
import { noteWrong, notingRefusal, type Asked, type Wrong } from './wrong.js';

const patchSchema = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

const Operation = z.object({
  op: z
    .string()
    .transform((op) => op.toLowerCase())
    .pipe(z.enum(['add', 'replace', 'remove'])),
  path: z.string().max(2_000).optional(),
  value: z.unknown().optional(),
});
type Operation = z.output<typeof Operation>;

const Patch = z.object({
  schemas: z.array(z.string()).refine((schemas) => schemas.includes(patchSchema), `Must name ${patchSchema}`),
  Operations: z.array(Operation),
});

/** What a PATCH needs to have any operation that can be looked at. */
const AnyPatch = z.object({ Operations: z.array(z.unknown()).min(1).max(1_000) });

/**
 * A resource after the operations of a PATCH (RFC 7644, section 3.5.2). Attributes that are not kept are ignored, since
 * providers send all that they have. The given resource stays as it is. What is wrong with an operation is noted, and
 * the others are looked at.
 * @throws AppError `invalidSyntax` for what has no operations, `tooMany`
 */
export function patched(kind: ResourceKind, resource: Fields, body: unknown): Asked {
  const { Operations } = readAs(AnyPatch, body, 'invalidSyntax');
  const fields = structuredClone(resource);
  const work = newWork();
  noteIssues(work.wrong, Patch.safeParse(body, { reportInput: true }).error, 'invalidSyntax');
  for (const [n, given] of Operations.entries()) {
    const { data: operation } = Operation.safeParse(given);
    if (operation === undefined) continue;
    const isMissing = operation.op !== 'remove' && operation.value === undefined;
    if (isMissing) noteWrong(work.wrong, `Operations.${n}.value`, 'is missing');
    else notingRefusal(work.wrong, `Operations.${n}`, () => apply(kind, fields, operation, work));
  }
  return { fields, wrong: work.wrong };
}

/** The attributes of a body that are kept, under their own names. @throws AppError `invalidSyntax`, `tooMany` */
export function readResource(kind: ResourceKind, body: unknown): Asked {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw refusal('invalidSyntax', 'The body must be an object');
  const fields: Fields = {};
  const work = newWork();
  apply(kind, fields, { op: 'replace', value: body }, work);
  return { fields, wrong: work.wrong };
}

function apply(kind: ResourceKind, resource: Fields, { op, path, value }: Operation, work: Work): void {
  if (path === undefined || path === '') return applyObject(kind, resource, { op, value }, work);
  const target = targetOf(kind, path);
  if (target === null) return;
  const { attribute, part, filter } = target;
  if (attribute.kind === 'list') {
    const present = listOf(resource, attribute);
    const change = { ...target, op, value, path, wrong: work.wrong };
    spend(work, (present.length + 1) * costOf(change));
    const known = work.wrong.size;
    const items = changedItems(kind, present, change);
    // Nothing else is said of a list that has values of wrong types: it is not what was meant.
    if (work.wrong.size > known) return;
    return put(resource, attribute.name, items.length === 0 ? undefined : items);
  }
  if (filter !== undefined) throw refusal('invalidPath', `${path}: ${attribute.name} has no list of values`);
  if (part !== undefined)
    return changePart(resource, attribute, { part, value: op === 'remove' ? undefined : value, wrong: work.wrong });
  const present = resource[attribute.name];
  const next = op === 'remove' ? undefined : valueOf(attribute, value, work.wrong);
  put(resource, attribute.name, attribute.kind === 'object' && next !== undefined ? merged(present, next) : next);
}

/** Without a path, the value names the attributes; Entra and others use paths as names. */
function applyObject(kind: ResourceKind, resource: Fields, { op, value }: Operation, work: Work): void {
  if (op === 'remove') throw refusal('noTarget', 'remove needs a path');
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return noteWrong(work.wrong, 'Operations', `must have an object as the value of ${op} without a path`);
  for (const [path, each] of Object.entries(value))
    if (path !== '') notingRefusal(work.wrong, path, () => apply(kind, resource, { op, path, value: each }, work));
}

/** What the operations of one PATCH may still do: all organizations wait while one is patched. */
interface Work {
  left: number;
  /** What they have of wrong types. */
  wrong: Wrong;
}

/** Values that are looked at, each with as many characters as its filter has: at most a second. */
const mostWork = 20_000_000;

function newWork(): Work {
  return { left: mostWork, wrong: new Map() };
}

/** @throws AppError `tooMany` */
function spend(work: Work, cost: number): void {
  work.left -= cost;
  if (work.left < 0) throw refusal('tooMany', 'Operations: too many for a list of this length; send them in parts');
}

function costOf({ attribute, filter, path }: ListChange): number {
  return filter === undefined || isValue(attribute, filter) ? 1 : path.length;
}

/** Whether a filter names one member, as providers do. */
function isValue({ name }: Attribute, filter: Filter): filter is Filter & { op: 'eq'; compValue: unknown } {
  return name === 'members' && filter.op === 'eq' && filter.attrPath.toLowerCase() === 'value';
}

interface Target {
  attribute: Attribute;
  part: Part | undefined;
  filter: Filter | undefined;
}

/** What a path leads to; null for what is not kept. @throws AppError `invalidPath` */
function targetOf(kind: ResourceKind, path: string): Target | null {
  const own = withoutSchema(kind, path);
  if (own === undefined) return null;
  const [, name, filter, sub] = /^([$\w-]+)(?:\[(.*)\])?(?:\.([$\w-]+))?$/.exec(own) ?? [];
  if (name === undefined) throw refusal('invalidPath', `${path} is no path`);
  const attribute = attributeOf(kind, name);
  if (attribute === undefined) return null;
  const part = sub === undefined ? undefined : partOf(attribute, sub);
  if (sub !== undefined && part === undefined) return null;
  return { attribute, part, filter: filter === undefined ? undefined : readFilter(filter) };
}

function listOf(resource: Fields, { name }: Attribute): Fields[] {
  return (resource[name] ?? []) as Fields[];
}

function put(fields: Fields, name: string, value: unknown): void {
  if (value === undefined) delete fields[name];
  else fields[name] = value;
}

function merged(present: unknown, next: unknown): Fields {
  return { ...(present as Fields | undefined), ...(next as Fields) };
}

function changePart(
  resource: Fields,
  { name }: Attribute,
  { part, value, wrong }: { part: Part; value: unknown; wrong: Wrong },
): void {
  const fields = { ...(resource[name] as Fields | undefined) };
  const isGiven = value !== null && value !== undefined;
  put(fields, part.name, isGiven ? plainValueOf(part, value, wrong, `${name}.${part.name}`) : undefined);
  put(resource, name, Object.keys(fields).length === 0 ? undefined : fields);
}

interface ListChange extends Target {
  op: Operation['op'];
  value: unknown;
  path: string;
  wrong: Wrong;
}

function changedItems(kind: ResourceKind, items: readonly Fields[], change: ListChange): Fields[] {
  const { attribute, part, filter, op, value, wrong } = change;
  const isMeant = (item: Fields): boolean => {
    if (filter === undefined) return true;
    return isValue(attribute, filter) ? item['value'] === filter.compValue : meets(filter, item, kind, attribute.name);
  };
  if (op === 'remove') {
    if (part !== undefined) return items.map((item) => (isMeant(item) ? without(item, part) : item));
    return filter === undefined ? withoutValues(change, items) : items.filter((item) => !isMeant(item));
  }
  if (filter === undefined && part === undefined) {
    const given = (valueOf(attribute, value, wrong) ?? []) as Fields[];
    return distinct(op === 'add' ? [...items, ...given] : given);
  }
  const next = part === undefined ? itemOf(attribute, value, wrong) : partsOf(attribute, { [part.name]: value }, wrong);
  if (items.some(isMeant)) return items.map((item) => (isMeant(item) ? { ...item, ...next } : item));
  return [...items, { ...newItem(kind, change), ...next }];
}

/** Some providers name the values to be removed in `value` and not in a filter. */
function withoutValues({ attribute, value, wrong }: ListChange, items: readonly Fields[]): Fields[] {
  const given = valueOf(attribute, value, wrong) as Fields[] | undefined;
  if (given === undefined) return [];
  const leaving = new Set(given.map((item) => item['value']));
  return items.filter((item) => !leaving.has(item['value']));
}

function without(item: Fields, part: Part): Fields {
  const { [part.name]: _, ...rest } = item;
  return rest;
}

/** The value that a filter describes, when there is none yet. @throws AppError `noTarget` when it describes none */
function newItem(kind: ResourceKind, { attribute, filter, path, wrong }: ListChange): Fields {
  if (filter === undefined) return {};
  const described = [...equalities(filter, kind)];
  if (described.length === 0) throw refusal('noTarget', `${path} leads to nothing`);
  return partsOf(attribute, Object.fromEntries(described), wrong);
}

/** Values that are listed twice are kept once, as they are listed last. */
function distinct(items: readonly Fields[]): Fields[] {
  return [...new Map(items.map((item) => [`${String(item['type'])}\n${String(item['value'])}`, item])).values()];
}
