import { VarintReader, varintSize, writeVarint } from './varint.js';

/**
 * Log positions of consecutive events of a stream, which only grow: each as its distance from the one before (the first
 * from the log's beginning), and 0 where a revision holds nothing.
 */
export function encodePositions(positions: readonly number[]): Buffer {
  const steps = distances(positions);
  const bytes = Buffer.allocUnsafe(steps.reduce((sum, step) => sum + varintSize(step), 0));
  let at = 0;
  for (const step of steps) at = writeVarint(bytes, at, step);
  return bytes;
}

export function decodePositions(bytes: Buffer): number[] {
  const reader = new VarintReader(bytes);
  const positions: number[] = [];
  let last = 0;
  while (!reader.atEnd) {
    const step = reader.next();
    last += step;
    positions.push(step === 0 ? 0 : last);
  }
  return positions;
}

function distances(positions: readonly number[]): number[] {
  let last = 0;
  return positions.map((position) => {
    if (position === 0) return 0;
    const step = position - last;
    if (step <= 0) throw new RangeError(`log position ${String(position)} does not follow ${String(last)}`);
    last += step;
    return step;
  });
}
