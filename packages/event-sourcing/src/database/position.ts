import { Long } from 'mongodb';

/** Positions are stored as 64-bit integers; the driver hands small ones back as numbers. */
export function positionFrom(stored: unknown): bigint {
  return typeof stored === 'number' ? BigInt(stored) : Long.isLong(stored) ? stored.toBigInt() : -1n;
}
