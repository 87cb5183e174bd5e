import type { ErrorDetail } from '@scriptorium/contracts';
import { maxDetails } from './issues.js';

/**
 * How deep arrays and objects of a body may be nested. A document may nest 100 blocks, each of which takes two levels;
 * the rest is for what stands around it.
 */
const maxDepth = 256;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads a JSON body. Adds to `failed`, and returns undefined, if it is not UTF-8 or not JSON, is nested deeper than
 * 100, or has anywhere a key `__proto__`, a NUL character or half of a surrogate pair.
 */
export function parseJsonBody(bytes: Uint8Array, failed: ErrorDetail[]): unknown {
  const text = decode(bytes);
  if (text === undefined) return fail(failed, 'Must be UTF-8');
  if (nestsDeeper(text, maxDepth)) return fail(failed, `Must not nest deeper than ${maxDepth}`);
  const parsed = parse(text);
  if (parsed === undefined) return fail(failed, `Must be JSON: ${placeOfError(text)}`);
  // A raw NUL is not JSON and half of a pair is not UTF-8: both can only be there as escapes.
  if (!text.includes('\\u') && !text.includes('__proto__')) return parsed.value;
  const before = failed.length;
  refuseStrings(parsed.value, 'body', failed);
  return failed.length > before ? undefined : parsed.value;
}

function fail(failed: ErrorDetail[], message: string): undefined {
  failed.push({ path: 'body', message });
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Without the parser's message: it repeats parts of the body, which may hold a secret. */
function parse(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

const quote = 0x22;
const backslash = 0x5c;

/** Whether brackets outside of strings are nested deeper than `limit`; reads the text once, before it is parsed. */
export function nestsDeeper(text: string, limit: number): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      at = endOfString(text, at);
    } else if (code === 0x5b || code === 0x7b) {
      depth += 1;
      if (depth > limit) return true;
    } else if (code === 0x5d || code === 0x7d) {
      depth -= 1;
    }
  }
  return false;
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === quote) return at;
    at += code === backslash ? 2 : 1;
  }
  return at;
}

/** The depth was checked before, so this may recurse. */
function refuseStrings(value: unknown, path: string, failed: ErrorDetail[]): void {
  if (failed.length >= maxDetails) return;
  if (typeof value === 'string') {
    refuseString(value, path, failed);
  } else if (Array.isArray(value)) {
    value.forEach((item, index) => refuseStrings(item, `${path}[${index}]`, failed));
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      if (key === '__proto__') failed.push({ path, message: 'Must not have a key __proto__' });
      refuseString(key, path, failed);
      refuseStrings(item, `${path}.${key.slice(0, 64)}`, failed);
    }
  }
}

function refuseString(text: string, path: string, failed: ErrorDetail[]): void {
  if (text.includes('\0')) failed.push({ path, message: 'Must not contain NUL' });
  if (!text.isWellFormed()) failed.push({ path, message: 'Must be well-formed Unicode' });
}

const maxFields = 20;

/**
 * Reads a form. Adds to `failed` if it has more than 20 fields, or a field twice: readers could choose different ones.
 */
export function parseFormBody(bytes: Uint8Array, failed: ErrorDetail[]): Record<string, string> | undefined {
  const fields = [...new URLSearchParams(new TextDecoder().decode(bytes))];
  const names = new Set(fields.map(([name]) => name));
  if (fields.length <= maxFields && names.size === fields.length && !names.has('__proto__'))
    return Object.fromEntries(fields);
  failed.push({
    path: 'body',
    message: fields.length > maxFields ? `At most ${maxFields} fields` : 'Each field may occur only once',
  });
  return undefined;
}

const blank = /[ \t\n\r]*/y;
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const escape = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;
const word = /true|false|null/y;

/**
 * Where a text that is not JSON stops to be it, as a sentence has it. Nothing of the text is repeated: it may hold a
 * secret. The caller has bounded how deep it nests.
 */
export function placeOfError(text: string): string {
  const at = endOfJson(text);
  const before = text.slice(0, at);
  const place = `line ${before.split('\n').length}, column ${at - before.lastIndexOf('\n')}`;
  return at >= text.length ? `it ends too early, at ${place}` : `${place} cannot be read`;
}

/** Reads one thing that begins at an index: the index behind it, or the one of the error as a negative number. */
type Read = (text: string, from: number) => number;

/** The index up to which a text is JSON. */
function endOfJson(text: string): number {
  const end = readValue(text, 0);
  return end < 0 ? wrongAt(end) : skip(blank, text, end);
}

/** Errors are negative, also that at 0. */
function wrongAt(index: number): number {
  return -index - 1;
}

/** The index behind what a pattern matches there; the same index if it matches nothing. */
function skip(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : from;
}

const readValue: Read = (text, from) => {
  const at = skip(blank, text, from);
  const first = text[at];
  if (first === '{') return readMany(text, at, '}', readField);
  if (first === '[') return readMany(text, at, ']', readValue);
  if (first === '"') return readString(text, at);
  const end = skip(first === '-' || isDigit(first) ? number : word, text, at);
  return end === at ? wrongAt(at) : end;
};

function isDigit(character: string | undefined): boolean {
  return character !== undefined && character >= '0' && character <= '9';
}

/** The items of an array, or the fields of an object. */
function readMany(text: string, from: number, close: string, read: Read): number {
  let at = skip(blank, text, from + 1);
  if (text[at] === close) return at + 1;
  for (;;) {
    const end = read(text, at);
    if (end < 0) return end;
    at = skip(blank, text, end);
    if (text[at] === close) return at + 1;
    if (text[at] !== ',') return wrongAt(at);
    at += 1;
  }
}

const readField: Read = (text, from) => {
  const at = skip(blank, text, from);
  const end = text[at] === '"' ? readString(text, at) : wrongAt(at);
  if (end < 0) return end;
  const colon = skip(blank, text, end);
  return text[colon] === ':' ? readValue(text, colon + 1) : wrongAt(colon);
};

const readString: Read = (text, from) => {
  let at = from + 1;
  while (at < text.length) {
    const character = text[at] ?? '';
    if (character === '"') return at + 1;
    if (character < ' ') return wrongAt(at);
    const next = character === '\\' ? skip(escape, text, at) : at + 1;
    if (next === at) return wrongAt(at);
    at = next;
  }
  return wrongAt(at);
};
