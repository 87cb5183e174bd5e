import { createHash } from 'node:crypto';
import { Wish } from './wish.js';

/** Raised with the code that makes PDFs: the template, and what is written for it. */
const version = 3;

/** The key of a PDF. */
export function keyOf(wish: Wish, { fonts, also }: { fonts: string; also: readonly unknown[] }): string {
  const text = JSON.stringify([version, fonts, Wish.parse(wish), also]);
  return createHash('sha256').update(text).digest('hex').slice(0, 40);
}
