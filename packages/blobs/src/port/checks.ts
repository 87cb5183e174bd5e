import { type ByteRange, type ListOptions, type WriteOptions } from './blobs.js';
import { BlobError } from './error.js';
import { LIST_LIMIT } from './limits.js';

const POOL = /^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/u;
const HASH = /^[0-9a-f]{64}$/u;

function demand(holds: boolean, field: string, rule: string): void {
  if (!holds) throw new BlobError('invalid', `${field} ${rule}`, { field });
}

export function checkPool(pool: string, field = 'pool'): void {
  demand(POOL.test(pool), field, 'must be 1 to 128 letters, digits, - and _, and begin with a letter or a digit');
}

export function checkHash(hash: string, field = 'hash'): void {
  demand(isHash(hash), field, 'must be 64 lower-case hexadecimal digits');
}

export function isHash(text: string): boolean {
  return HASH.test(text);
}

export function checkBlob(pool: string, hash: string): void {
  checkPool(pool);
  checkHash(hash);
}

export function checkHashes(pool: string, hashes: readonly string[]): void {
  checkPool(pool);
  hashes.forEach((hash, index) => checkHash(hash, `hashes.${String(index)}`));
}

export function checkRange(range: ByteRange | undefined): void {
  if (range === undefined) return;
  demand(isCount(range.start), 'range.start', 'must be a whole number from 0 on');
  demand(isCount(range.end) && range.end >= range.start, 'range.end', 'must be a whole number from range.start on');
}

export function checkWrite(pool: string, { most, deadline }: WriteOptions): void {
  checkPool(pool);
  demand(isCount(most), 'most', 'must be a whole number from 0 on');
  demand(Number.isFinite(deadline), 'deadline', 'must be milliseconds since 1970');
}

export function checkSweep(olderThan: number): void {
  demand(Number.isFinite(olderThan), 'olderThan', 'must be milliseconds since 1970');
}

export function checkPage({ after, limit }: ListOptions, checkAfter: (after: string, field: string) => void): void {
  if (after !== undefined) checkAfter(after, 'after');
  demand(isCount(limit) && limit >= 1 && limit <= LIST_LIMIT, 'limit', `must be 1 to ${String(LIST_LIMIT)}`);
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}
