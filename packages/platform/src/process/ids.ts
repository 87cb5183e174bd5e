import { createHash, randomBytes } from 'node:crypto';
import { base62Alphabet } from '@scriptorium/contracts';

/** Encodes bytes as `length` base62 characters; 20 of them carry 119 bits. */
export function base62(bytes: Uint8Array, length: number): string {
  let number = BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
  let text = '';
  for (let i = 0; i < length; i += 1) {
    text += base62Alphabet[Number(number % 62n)] ?? '';
    number /= 62n;
  }
  return text;
}

/** A new identifier: 20 base62 characters, never all digits. */
export function newId(): string {
  const id = base62(randomBytes(16), 20);
  return /^\d+$/.test(id) ? newId() : id;
}

/** An identifier that is the same for the same parts, so that a repeated request creates nothing twice. */
export function derivedId(...parts: readonly string[]): string {
  const id = base62(createHash('sha256').update(JSON.stringify(parts)).digest().subarray(0, 16), 20);
  return /^\d+$/.test(id) ? derivedId(...parts, '') : id;
}
