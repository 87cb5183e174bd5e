import type { ErrorDetail } from '@scriptorium/contracts';

const mostFields = 20;

/** Reads a form; names in `failed` one of more than 20 fields, and one that says something twice, of which each reader could take another. */
export function parseFormBody(bytes: Uint8Array, failed: ErrorDetail[]): Record<string, string> | undefined {
  const fields = [...new URLSearchParams(new TextDecoder().decode(bytes))];
  const names = new Set(fields.map(([name]) => name));
  if (fields.length <= mostFields && names.size === fields.length && !names.has('__proto__')) return Object.fromEntries(fields);
  failed.push({ path: 'body', message: fields.length > mostFields ? `At most ${mostFields} fields` : 'Each field must stand there once' });
  return undefined;
}
