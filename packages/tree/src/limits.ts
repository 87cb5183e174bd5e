import { TreeError } from './error.js';
import { copyOf, type Json, NotJsonError } from './json.js';

/** Bounds of one entry. They refuse edits and never change how a tree is cut, so they may differ between calls. */
export interface TreeLimits {
  /** UTF-16 code units of a key. */
  readonly keyLength: number;
  /** Bytes of a value as canonical JSON in UTF-8. */
  readonly valueBytes: number;
}

export const DEFAULT_LIMITS: TreeLimits = { keyLength: 512, valueBytes: 4096 };

/** Options of everything that writes. */
export interface WriteOptions {
  readonly limits?: Partial<TreeLimits>;
}

const utf8 = new TextEncoder();

const exceeds = (text: string, bytes: number): boolean =>
  text.length > bytes || (text.length * 3 > bytes && utf8.encode(text).length > bytes);

/** A key within the limits; throws a `TreeError` that names it. */
export function checkKey(key: unknown, limits: TreeLimits): asserts key is string {
  if (typeof key !== 'string') throw new TreeError('key_invalid', `A key must be a string, not ${typeof key}`);
  if (key.length <= limits.keyLength) return;
  const start = key.slice(0, 64);
  throw new TreeError('key_too_long', `A key of ${key.length} characters: at most ${limits.keyLength}`, { key: start });
}

/** A copy of a value within the limits, which nobody else can change; throws a `TreeError` that names its key. */
export function checkedValue(key: string, value: Json, limits: TreeLimits): Json {
  const copy = copied(key, value);
  // The order of members does not change the length.
  if (exceeds(JSON.stringify(copy), limits.valueBytes))
    throw new TreeError('value_too_large', `A value of more than ${limits.valueBytes} bytes of JSON`, { key });
  return copy;
}

function copied(key: string, value: Json): Json {
  try {
    return copyOf(value);
  } catch (error) {
    if (!(error instanceof NotJsonError)) throw error;
    throw new TreeError('value_invalid', `A value must be JSON: ${error.message}`, { key });
  }
}

export const limitsOf = ({ limits }: WriteOptions): TreeLimits => ({ ...DEFAULT_LIMITS, ...limits });
