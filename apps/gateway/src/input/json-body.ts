import type { ErrorDetail } from '@scriptorium/contracts';
import { maxDetails } from './issues.js';
import { placeOfError } from './json-error.js';

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
