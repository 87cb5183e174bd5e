import { createHash } from 'node:crypto';

const stringsAndComments = /("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`)|\/\/[^\n]*|\/\*[\s\S]*?\*\//g;

/** The source of a function without comments and layout, so that only a change of code changes it. */
function sourceOf(code: unknown): string {
  if (typeof code !== 'function') return '';
  return code
    .toString()
    .replace(stringsAndComments, (text, string: string | undefined) => string ?? (text === '' ? '' : ' '))
    .replace(/\s+/g, ' ')
    .replace(/ ?([^\w$]) ?/g, '$1')
    .replace(/,(?=[)\]}])/g, '');
}

/**
 * A short hash of what decides a fold's result: event types and the code that folds them. Helpers that the code calls
 * are out of its sight, so it is a guard against forgetting, not a proof.
 */
export function fingerprintOf(version: string, types: readonly string[], ...code: readonly unknown[]): string {
  const hash = createHash('sha256').update(version);
  for (const type of [...types].sort()) hash.update(`|${type}`);
  for (const part of code) hash.update(`#${sourceOf(part)}`);
  return hash.digest('hex').slice(0, 24);
}
