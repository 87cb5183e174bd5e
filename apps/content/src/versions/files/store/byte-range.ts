/** Bytes `start` to `end`, without that at `end`. */
export interface WantedBytes {
  start: number;
  end: number;
}

/**
 * The bytes that a `Range` header asks for, of `size`; `unsatisfiable` when there are none of these. Undefined for all:
 * without a header, and for what servers may ignore, such as several ranges.
 */
export function wantedBytes(header: string | undefined, size: number): WantedBytes | 'unsatisfiable' | undefined {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  if (first === '') return last === '0' || size === 0 ? 'unsatisfiable' : cut(size - Number(last), size, size);
  const [start, end] = [Number(first), last === '' ? Infinity : Number(last) + 1];
  if (end <= start) return undefined;
  return start >= size ? 'unsatisfiable' : cut(start, end, size);
}

function cut(start: number, end: number, size: number): WantedBytes {
  return { start: Math.max(0, start), end: Math.min(end, size) };
}
