import { limitsAccess, type ErrorDetail } from '@scriptorium/contracts';
import * as z from 'zod';
import { maxDetails } from './issues.js';

type Fields = Record<string, unknown>;

/**
 * Whether validation left out a field of a value, at any depth. What is free-form comes back as it was given, so it is
 * skipped without a look. Called for every request: it allocates nothing.
 */
export function leavesOut(given: unknown, kept: unknown): boolean {
  if (given === kept || !isObject(given) || !isObject(kept)) return false;
  if (Array.isArray(given) && Array.isArray(kept)) {
    for (let at = 0; at < given.length; at += 1) if (leavesOut(given[at], kept[at])) return true;
    return false;
  }
  for (const name in given) {
    if (!Object.hasOwn(kept, name) || leavesOut(given[name], kept[name])) return true;
  }
  return false;
}

/** Whether a query has parameters that an operation does not have. */
export function hasOthers(given: URLSearchParams, known: ReadonlySet<string>): boolean {
  if (given.size === 0) return false;
  for (const name of given.keys()) if (!known.has(name)) return true;
  return false;
}

/** A field or parameter that nothing reads. */
export interface Unknown extends ErrorDetail {
  /** Whether it would have limited who sees or may do something. */
  limits?: true;
}

/** Names the parameters of a query that an operation does not have, each once. */
export function unknownParameters(given: URLSearchParams, known: ReadonlySet<string>): ErrorDetail[] {
  const found: ErrorDetail[] = [];
  for (const name of new Set(given.keys())) {
    if (known.has(name) || found.length >= maxDetails) continue;
    const meant = nearMiss(
      name,
      [...known].filter((one) => !given.has(one)),
    );
    found.push({ path: `query.${name.slice(0, 64)}`, message: `Is no parameter of this operation${hint(meant)}` });
  }
  return found;
}

/** Where a value stands in a part of a request, and the schemas that it may be meant for. */
interface Place {
  path: string;
  schemas: readonly z.ZodType[];
}

/**
 * Names the fields of a value that its schema does not know, at most `maxDetails`, each with the name that was probably
 * meant. `kept`: what validation made of the value; undefined if it was refused. Called only if there is something to
 * name.
 */
export function unknownFields(part: string, schema: z.ZodType, given: unknown, kept: unknown): Unknown[] {
  const found: Unknown[] = [];
  collect({ path: part, schemas: [schema] }, given, kept, found);
  return found;
}

function collect(place: Place, given: unknown, kept: unknown, found: Unknown[]): void {
  if (given === kept || !isObject(given) || found.length >= maxDetails) return;
  const options = place.schemas.flatMap(alternatives);
  if (Array.isArray(given)) {
    const schemas = options.flatMap((one) => (one instanceof z.ZodArray ? [one.element as z.ZodType] : []));
    const items = Array.isArray(kept) ? (kept as unknown[]) : [];
    given.forEach((item, at) => collect({ path: `${place.path}[${at}]`, schemas }, item, items[at], found));
    return;
  }
  const rest = options.flatMap((one) => (one instanceof z.ZodRecord ? [one.valueType as z.ZodType] : []));
  collectFields({ ...place, schemas: options }, rest, given, isObject(kept) ? kept : undefined, found);
}

function collectFields(
  { path, schemas }: Place,
  rest: readonly z.ZodType[],
  given: Fields,
  kept: Fields | undefined,
  found: Unknown[],
): void {
  const objects = likely(schemas, given, kept);
  const names = [...new Set(objects.flatMap(({ shape }) => Object.keys(shape)))];
  const isOpen = rest.length > 0 || objects.length === 0 || objects.some(({ def }) => def.catchall !== undefined);
  for (const [name, value] of Object.entries(given)) {
    const isKnown = kept === undefined ? isOpen || names.includes(name) : Object.hasOwn(kept, name);
    const at = `${path}.${name.slice(0, 64)}`;
    const schemasOf = [...rest, ...objects.flatMap(({ shape }) => own(shape, name))];
    if (isKnown) collect({ path: at, schemas: schemasOf }, value, kept?.[name], found);
    else if (found.length < maxDetails)
      found.push({
        path: at,
        message: unknownField(name, names, given),
        ...(limitsAccess(name, value) && { limits: true }),
      });
  }
}

function own(shape: Readonly<Record<string, unknown>>, name: string): z.ZodType[] {
  return Object.hasOwn(shape, name) ? [shape[name] as z.ZodType] : [];
}

function unknownField(name: string, names: readonly string[], given: Fields): string {
  const meant = nearMiss(
    name,
    names.filter((one) => !Object.hasOwn(given, one)),
  );
  return `Is no field of this object${hint(meant)}`;
}

function hint(meant: string | undefined): string {
  return meant === undefined ? '' : `; did you mean \`${meant}\`?`;
}

/**
 * The objects among some schemas that a value is meant for: those whose literals it has, and what validation kept of
 * it.
 */
function likely(schemas: readonly z.ZodType[], given: Fields, kept: Fields | undefined): z.ZodObject[] {
  const objects = schemas.filter((one) => one instanceof z.ZodObject);
  if (objects.length < 2) return objects;
  return objects.filter(
    ({ shape }) =>
      (kept === undefined || Object.keys(kept).every((name) => Object.hasOwn(shape, name))) &&
      Object.entries(shape).every(([name, field]) => !isLiteral(field) || field.safeParse(given[name]).success),
  );
}

function isLiteral(schema: unknown): schema is z.ZodLiteral | z.ZodEnum {
  return schema instanceof z.ZodLiteral || schema instanceof z.ZodEnum;
}

/** The alternatives of a schema, without what stands around them. */
function alternatives(schema: z.ZodType): z.ZodType[] {
  if (schema instanceof z.ZodUnion) return (schema.options as readonly z.ZodType[]).flatMap(alternatives);
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault ||
    schema instanceof z.ZodReadonly ||
    schema instanceof z.ZodLazy
  )
    return alternatives(schema.unwrap() as z.ZodType);
  return [schema];
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}

/** Longer names are compared with none: the work grows with the product of both lengths. */
const longestName = 64;

/**
 * The name of a list that somebody probably meant: the same but for case, dashes and underscores, or at most two
 * letters (one, of a short name) are missing, wrong or exchanged.
 */
export function nearMiss(given: string, names: readonly string[]): string | undefined {
  const most = given.length < 5 ? 1 : 2;
  let best: string | undefined;
  let least = most + 1;
  for (const name of names) {
    if (Math.abs(name.length - given.length) > most + 2 || name.length > longestName) continue;
    const steps = plain(name) === plain(given) ? 0 : distance(given, name);
    if (steps < least) [best, least] = [name, steps];
  }
  return best;
}

function plain(name: string): string {
  return name.replace(/[-_]/g, '').toLowerCase();
}

/**
 * How many letters have to be added, removed, replaced, or exchanged with their neighbour (optimal string alignment).
 */
function distance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (last[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isExchanged = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const exchanged = isExchanged ? (beforeLast[j - 2] ?? 0) + 1 : replaced;
      row.push(Math.min(replaced, exchanged, (last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    [beforeLast, last] = [last, row];
  }
  return last[b.length] ?? 0;
}

/** Names the fields of a request that nothing reads. */
export const ignoredHeader = 'scriptorium-ignored';

const mostNames = 20;
const longestHeader = 1_024;

/** The value of the header for some paths: at most 20 names and 1,024 characters; `...` stands for more. */
export function ignoredValue(paths: readonly string[]): string {
  const names: string[] = [];
  let length = 0;
  for (const path of paths) {
    const name = headerName(path);
    length += name.length + 2;
    if (names.length === mostNames || length > longestHeader) return [...names, '...'].join(', ');
    names.push(name);
  }
  return names.join(', ');
}

/** A path with everything percent-encoded that would end a name or a header. Half of a pair has no encoding. */
function headerName(path: string): string {
  return path.toWellFormed().replace(/[^\w.[\]$@*~-]/gu, encodeURIComponent);
}
