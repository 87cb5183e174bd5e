import { AppError, invalid } from '@scriptorium/contracts';

const formType = /^application\/x-www-form-urlencoded\s*(?:;\s*charset=(?:"utf-8"|utf-8)\s*)?$/i;
const mostFields = 20;

/** Reads a form; refuses one that says something twice, of which each reader could take another. */
export function parseFormBody(type: string | undefined, bytes: Uint8Array): Record<string, string> {
  if (!formType.test(type ?? '')) throw new AppError('unsupported_media_type', [], { message: 'The body must be a form in UTF-8' });
  const fields = [...new URLSearchParams(new TextDecoder().decode(bytes))];
  if (fields.length > mostFields) throw invalid('body', `At most ${mostFields} fields`);
  const names = new Set(fields.map(([name]) => name));
  if (names.size !== fields.length || names.has('__proto__')) throw invalid('body', 'Each field must stand there once');
  return Object.fromEntries(fields);
}
