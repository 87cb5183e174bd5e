import type { ErrorDetail } from '@scriptorium/contracts';

const maxFields = 20;

/**
 * Reads a form. Adds to `failed` if it has more than 20 fields, or a field twice: readers could choose different ones.
 */
export function parseFormBody(bytes: Uint8Array, failed: ErrorDetail[]): Record<string, string> | undefined {
  const fields = [...new URLSearchParams(new TextDecoder().decode(bytes))];
  const names = new Set(fields.map(([name]) => name));
  if (fields.length <= maxFields && names.size === fields.length && !names.has('__proto__'))
    return Object.fromEntries(fields);
  failed.push({
    path: 'body',
    message: fields.length > maxFields ? `At most ${maxFields} fields` : 'Each field may occur only once',
  });
  return undefined;
}
