import { type ByteRange } from './blobs.js';

/** The part of a range that a blob of `size` bytes has; of all when there is no range. `end` is exclusive. */
export function clampRange(range: ByteRange | undefined, size: number): ByteRange {
  const end = Math.min(range?.end ?? size, size);
  return { start: Math.min(range?.start ?? 0, end), end };
}
