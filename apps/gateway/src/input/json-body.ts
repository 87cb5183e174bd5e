import { AppError, invalid } from '@scriptorium/contracts';

/** How deep arrays and objects of a body may stand in each other. */
const maxDepth = 100;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads a JSON body. Refuses, as `invalid_request`, what is not UTF-8 or not JSON, nesting over 100, and, anywhere in
 * it, an own key `__proto__` (ruling 14), a NUL character and halves of surrogate pairs.
 */
export function parseJsonBody(bytes: Uint8Array): unknown {
  const text = decode(bytes);
  if (nestsDeeper(text, maxDepth)) throw invalid('body', `Must not nest deeper than ${maxDepth}`);
  const value = parse(text);
  // A raw NUL is not JSON and a raw half of a pair not UTF-8: both can only stand there as an escape.
  if (text.includes('\\u') || text.includes('__proto__')) refuseStrings(value, 'body');
  return value;
}

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch (cause) {
    throw new AppError('invalid_request', [{ path: 'body', message: 'Must be UTF-8' }], { message: 'The body is not UTF-8', cause });
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // The parser's own message repeats parts of the body, which may hold a secret.
    throw new AppError('invalid_request', [{ path: 'body', message: 'Must be JSON' }], { message: 'The body is not valid JSON' });
  }
}

const quote = 0x22;
const backslash = 0x5c;

/** Whether brackets outside of strings open deeper than `most`; reads the text once, before anything is built from it. */
export function nestsDeeper(text: string, most: number): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      at = endOfString(text, at);
    } else if (code === 0x5b || code === 0x7b) {
      depth += 1;
      if (depth > most) return true;
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

/** Depth is bounded before, so it may recurse. */
function refuseStrings(value: unknown, path: string): void {
  if (typeof value === 'string') {
    refuseString(value, path);
  } else if (Array.isArray(value)) {
    value.forEach((item, index) => refuseStrings(item, `${path}[${index}]`));
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      if (key === '__proto__') throw invalid(path, 'Must not have a key __proto__');
      refuseString(key, path);
      refuseStrings(item, `${path}.${key.slice(0, 64)}`);
    }
  }
}

function refuseString(text: string, path: string): void {
  if (text.includes('\0')) throw invalid(path, 'Must not contain NUL');
  if (!text.isWellFormed()) throw invalid(path, 'Must be well-formed Unicode');
}
