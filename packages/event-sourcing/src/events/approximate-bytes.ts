/** Of a number, a boolean, or what holds other values. */
const perValue = 16;

/**
 * About how many bytes a JSON-like value takes in memory: enough to bound a cache by, cheap enough to ask for each
 * event.
 */
export function approximateBytes(value: unknown): number {
  if (typeof value === 'string') return perValue + value.length * 2;
  if (typeof value !== 'object' || value === null) return perValue;
  if (ArrayBuffer.isView(value)) return perValue + value.byteLength;
  let bytes = perValue;
  if (Array.isArray(value)) for (const item of value) bytes += approximateBytes(item);
  else for (const [key, item] of Object.entries(value)) bytes += key.length * 2 + approximateBytes(item);
  return bytes;
}
