import { Moment } from '@scriptorium/contracts';
import { parse, type Compare, type Filter } from 'scim2-parse-filter';
import { refusal } from './refusal.js';
import { withoutSchema, type Fields, type ResourceKind } from './resource.js';

export type { Filter } from 'scim2-parse-filter';

const maxCharacters = 2_000;

/** Parses a filter (RFC 7644, section 3.4.2.2). @throws AppError `invalidFilter` */
export function readFilter(text: string): Filter {
  if (text.length > maxCharacters) throw refusal('invalidFilter', `A filter has at most ${maxCharacters} characters`);
  // The parser needs a time that doubles with each line end within quotes.
  if (/\p{Cc}/u.test(text)) throw refusal('invalidFilter', 'A filter has no control characters');
  return withTimes(parsed(text));
}

function parsed(text: string): Filter {
  try {
    return parse(text);
  } catch {
    throw refusal('invalidFilter', 'The filter cannot be read');
  }
}

const time = /(^|:)meta\.(created|lastmodified)$/i;
const ofTimes: ReadonlySet<string> = new Set(['eq', 'ne', 'gt', 'ge', 'lt', 'le']);

/** Times are compared as texts, so that those of a filter have to be in the form in which resources have them. */
function withTimes(filter: Filter): Filter {
  if ('filters' in filter) return { ...filter, filters: filter.filters.map(withTimes) };
  if ('filter' in filter) return { ...filter, filter: withTimes(filter.filter) };
  if (!ofTimes.has(filter.op) || !time.test(filter.attrPath)) return filter;
  const given = Moment.safeParse('compValue' in filter ? filter.compValue : undefined);
  if (!given.success)
    throw refusal('invalidFilter', `${filter.attrPath} has to be compared with a time such as "2026-01-31T12:00:00Z"`);
  return { ...filter, compValue: given.data } as Filter;
}

/** Attributes whose letters count; all others are compared without regard to case. */
const exact: ReadonlySet<string> = new Set(['id', 'externalid', 'members', 'members.value']);

/** Whether a resource, or one of the values of its attribute `of`, meets a filter. */
export function meets(filter: Filter, value: unknown, kind: ResourceKind, of?: string): boolean {
  switch (filter.op) {
    case 'and':
      return filter.filters.every((each) => meets(each, value, kind, of));
    case 'or':
      return filter.filters.some((each) => meets(each, value, kind, of));
    case 'not':
      return !meets(filter.filter, value, kind, of);
    case '[]': {
      const { attrPath, valFilter } = filter;
      const path = pathOf(attrPath, kind);
      return valuesAt(value, path).some((each) => meets(valFilter, each, kind, path.join('.')));
    }
    case 'pr':
      return valuesAt(value, pathOf(filter.attrPath, kind)).some(isPresent);
    default: {
      const path = pathOf(filter.attrPath, kind);
      const isExact = exact.has((of === undefined ? path : [of, ...path]).join('.').toLowerCase());
      const found = valuesAt(value, path).map(plainOf);
      const compared = found.length === 0 ? [undefined] : found;
      return compared.some((each) => compare(filter, each, isExact));
    }
  }
}

/** The parts of an attribute's path. That of an attribute of another schema leads to nothing. */
function pathOf(attrPath: string, kind: ResourceKind): string[] {
  return withoutSchema(kind, attrPath)?.split('.') ?? [attrPath];
}

function valuesAt(value: unknown, [name, ...rest]: readonly string[]): unknown[] {
  if (name === undefined) return value === undefined ? [] : Array.isArray(value) ? (value as unknown[]) : [value];
  if (Array.isArray(value)) return value.flatMap((each) => valuesAt(each, [name, ...rest]));
  if (typeof value !== 'object' || value === null) return [];
  const found = Object.entries(value).find(([key]) => key.toLowerCase() === name.toLowerCase());
  return found === undefined ? [] : valuesAt(found[1], rest);
}

/** An attribute with several values is compared by their `value`. */
function plainOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? (value as Fields)['value'] : value;
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}

function compare({ op, compValue }: Compare, actual: unknown, isExact: boolean): boolean {
  const [a, b] = comparable(actual, compValue, isExact);
  if (op === 'eq') return a === b;
  if (op === 'ne') return a !== b;
  if (typeof a !== 'string' || typeof b !== 'string') return false;
  switch (op) {
    case 'co':
      return a.includes(b);
    case 'sw':
      return a.startsWith(b);
    case 'ew':
      return a.endsWith(b);
    case 'gt':
      return a > b;
    case 'ge':
      return a >= b;
    case 'lt':
      return a < b;
    case 'le':
      return a <= b;
  }
}

/** Both values in the form in which they are compared. Entra asks for `active eq "True"`. */
function comparable(actual: unknown, asked: unknown, isExact: boolean): [unknown, unknown] {
  if (typeof actual === 'boolean' && typeof asked === 'string') return [String(actual), asked.toLowerCase()];
  if (isExact || typeof actual !== 'string' || typeof asked !== 'string') return [actual, asked ?? undefined];
  return [actual.toLowerCase(), asked.toLowerCase()];
}

/**
 * What every resource that meets the filter has, by path in lower case: `emails[type eq "work"]` has `emails.type`.
 * It is less than the filter says.
 */
export function equalities(filter: Filter, kind: ResourceKind, of = ''): Map<string, string> {
  if (filter.op === 'and') return new Map(filter.filters.flatMap((each) => [...equalities(each, kind, of)]));
  if (filter.op === '[]') return equalities(filter.valFilter, kind, `${of}${nameOf(filter.attrPath, kind)}.`);
  if (filter.op !== 'eq' || typeof filter.compValue !== 'string') return new Map();
  return new Map([[`${of}${nameOf(filter.attrPath, kind)}`, filter.compValue]]);
}

function nameOf(attrPath: string, kind: ResourceKind): string {
  return pathOf(attrPath, kind).join('.').toLowerCase();
}

/** Whether a filter names an attribute, compared without regard to case. */
export function names(filter: Filter, attribute: string, kind: ResourceKind): boolean {
  if ('filters' in filter) return filter.filters.some((each) => names(each, attribute, kind));
  if ('filter' in filter) return names(filter.filter, attribute, kind);
  return nameOf(filter.attrPath, kind).split('.')[0] === attribute.toLowerCase();
}
