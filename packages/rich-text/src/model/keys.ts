const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const HALF = 62 ** 6;

/** Gives a new 12-character base62 key on each call. */
export type KeySource = () => string;

/** The 53-bit cyrb hash of `text`: fast, well spread, not cryptographic. */
export function quickHash(text: string, seed = 0): number {
  let a = 0xdeadbeef ^ seed;
  let b = 0x41c6ce57 ^ seed;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    a = Math.imul(a ^ code, 2654435761);
    b = Math.imul(b ^ code, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return 4294967296 * (2097151 & b) + (a >>> 0);
}

function half(value: number): string {
  let rest = value % HALF;
  let out = '';
  for (let i = 0; i < 6; i++) {
    out = ALPHABET.charAt(rest % 62) + out;
    rest = Math.floor(rest / 62);
  }
  return out;
}

/**
 * Keys derived from `seed`: the same text gives the same keys, so parsing stays a pure function and a repeated
 * request yields the same document. `taken` keys are never given out, nor is any key twice.
 */
export function keysFrom(seed: string, taken: Set<string> = new Set()): KeySource {
  const first = quickHash(seed, 1);
  let counter = 0;
  return () => {
    for (;;) {
      counter++;
      const low = quickHash(`${first}:${counter}`, 2);
      const key = half(first + Math.imul(counter, 2654435761) + HALF) + half(low);
      if (!taken.has(key)) {
        taken.add(key);
        return key;
      }
    }
  };
}
