import { isScalar, parseDocument, visit, type Document } from 'yaml';
import { isObject } from '../model/json.js';
import { isSafeUrl } from '../model/refs.js';
import { type Data, type Json } from '../model/types.js';

/**
 * What the front matter of a page says. Keys nobody knows, also those of `vars` and `metaLinks`, are kept under
 * `other`.
 */
export type FrontMatter = {
  description?: string;
  icon?: string;
  emoji?: string;
  hidden?: boolean;
  noIndex?: boolean;
  noRobotsIndex?: boolean;
  /** The key `if`. */
  condition?: string;
  /** The key `vars`. */
  variables?: { [name: string]: string };
  cover?: string;
  coverDark?: string;
  coverY?: number;
  coverHeight?: number;
  metaLinks?: { canonical?: string; alternates?: string[] };
  tags?: string[];
  layout?: Data;
  other?: Data;
};

const MAX_YAML = 64 * 1024;
const RENAMED: { [key: string]: keyof FrontMatter } = { if: 'condition', vars: 'variables' };

const string = (value: Json): string | undefined =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : undefined;
const boolean = (value: Json): boolean | undefined => (typeof value === 'boolean' ? value : undefined);
const number = (value: Json): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined;
const object = (value: Json | undefined): Data | undefined => (isObject(value) ? value : undefined);

/** A list of nothing but strings. */
function strings(value: Json): string[] | undefined {
  const read = Array.isArray(value) ? value.map(string) : undefined;
  return read?.every((item) => item !== undefined) ? read : undefined;
}

function stringMap(value: Json): { [name: string]: string } | undefined {
  const entries = Object.entries(object(value) ?? {}).flatMap(([name, item]): Array<[string, string]> => {
    const read = item === undefined || !/^[A-Za-z][A-Za-z0-9_]*$/.test(name) ? undefined : string(item);
    return read === undefined ? [] : [[name, read]];
  });
  return object(value) ? Object.fromEntries(entries) : undefined;
}

function metaLinks(value: Json): FrontMatter['metaLinks'] {
  const given = object(value);
  if (!given) return undefined;
  const canonical = string(given['canonical'] ?? null);
  const alternates = strings(given['alternates'] ?? null);
  return { ...(canonical !== undefined && { canonical }), ...(alternates && { alternates }) };
}

const READERS: { [K in Exclude<keyof FrontMatter, 'other'>]: (value: Json) => FrontMatter[K] | undefined } = {
  description: string,
  icon: string,
  emoji: string,
  hidden: boolean,
  noIndex: boolean,
  noRobotsIndex: boolean,
  condition: string,
  variables: stringMap,
  cover: string,
  coverDark: string,
  coverY: number,
  coverHeight: number,
  metaLinks,
  tags: strings,
  layout: object,
};

/** Keys whose texts are URLs, and how deep these may stand in them: aliases of YAML can nest without end. */
const URL_KEYS = new Set(['cover', 'coverDark', 'metaLinks']);
const URL_LEVELS = 4;

/** The value without its unsafe URLs. */
function withSafeUrls(value: Json, levels = URL_LEVELS): Json | undefined {
  if (typeof value === 'string') return isSafeUrl(value) ? value : undefined;
  if (typeof value !== 'object' || value === null) return value;
  if (levels === 0) return undefined;
  if (Array.isArray(value))
    return value.map((item) => withSafeUrls(item, levels - 1)).filter((item) => item !== undefined);
  const members = Object.entries(value).map(([name, item]): [string, Json | undefined] => [
    name,
    item && withSafeUrls(item, levels - 1),
  ]);
  return Object.fromEntries(members.filter(([, item]) => item !== undefined));
}

/** Keys whose values are maps that are read member by member. */
const MAPS = new Set<string>(['variables', 'metaLinks'] satisfies Array<keyof FrontMatter>);

/** The members of a map that were not read. */
function leftOf(given: Json, read: object): Data | undefined {
  const left = Object.entries(object(given) ?? {}).filter(([name]) => !Object.hasOwn(read, name));
  return left.length > 0 ? Object.fromEntries(left) : undefined;
}

/** Keys whose values are texts, or lists or maps of texts. */
const TEXT_KEYS = new Set([
  'title',
  'id',
  'slug',
  'description',
  'icon',
  'emoji',
  'if',
  'vars',
  'cover',
  'coverDark',
  'metaLinks',
  'tags',
]);

/** Numbers and truth values as they are written, where text is meant: a version 1.10 is no 1.1. */
function keepWritten(document: Document): void {
  visit(document, {
    Pair(_key, { key }, path) {
      const isText = path.length > 2 || (isScalar(key) && TEXT_KEYS.has(String(key.value)));
      return isText ? undefined : visit.SKIP;
    },
    Scalar(key, scalar) {
      if (key !== 'key' && isPrimitive(scalar.value) && scalar.source !== undefined) scalar.value = scalar.source;
    },
  });
}

const isPrimitive = (value: unknown): boolean => typeof value === 'number' || typeof value === 'boolean';

/** The YAML as a map, or why it is none. */
function mapIn(source: string): { map: Data } | { problem: string } {
  if (source.length > MAX_YAML) return { problem: `it is longer than ${MAX_YAML} characters` };
  try {
    const document = parseDocument(source, { schema: 'core', logLevel: 'error', prettyErrors: false });
    const [error] = document.errors;
    if (error) return { problem: `line ${lineAt(source, error.pos[0])}: ${error.message}` };
    keepWritten(document);
    const map = object((document.toJS({ maxAliasCount: 20 }) ?? {}) as Json);
    return map ? { map } : { problem: 'it is no map' };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : 'it cannot be read' };
  }
}

/** The line of a place in front matter, as lines of the file are counted: the first one is `---`. */
const lineAt = (source: string, place: number): number => source.slice(0, place).split('\n').length + 1;

/** Why the text between the `---` lines is no front matter; undefined when it is. */
export function problemOf(source: string): string | undefined {
  const read = mapIn(source);
  return 'problem' in read ? read.problem : undefined;
}

/** Reads the YAML between the `---` lines; null when it is not a map or not YAML at all. */
export function readFrontMatter(source: string): FrontMatter | null {
  const found = mapIn(source);
  if ('problem' in found) return null;
  const out: { [key: string]: unknown } = {};
  const other: Data = {};
  for (const [key, given] of Object.entries(found.map)) {
    const item = given !== undefined && URL_KEYS.has(key) ? withSafeUrls(given) : given;
    if (item === undefined || key === '__proto__') continue;
    const name = RENAMED[key] ?? key;
    const reader = Object.hasOwn(READERS, name)
      ? (READERS[name as keyof typeof READERS] as (value: Json) => unknown)
      : undefined;
    const read = reader?.(item);
    if (read !== undefined) out[name] = read;
    const left = read === undefined ? item : MAPS.has(name) ? leftOf(item, read as object) : undefined;
    if (left !== undefined) other[key] = left;
  }
  return Object.keys(other).length > 0 ? { ...(out as FrontMatter), other } : out;
}
