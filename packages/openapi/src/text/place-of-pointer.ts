import { getLineColLocation, Source } from '@redocly/openapi-core';

/** The line and the column of a part of a text, both from 1; `null` when they are not found. */
export function placeOfPointer(
  source: Source,
  pointer: string,
  reportOnKey = false,
): { line: number; column: number } | null {
  try {
    const { start } = getLineColLocation({ source, pointer: `#${pointer === '' ? '/' : pointer}`, reportOnKey });
    return { line: start.line, column: start.col };
  } catch {
    return null;
  }
}

/** The same for a text that is no source yet. */
export function placeInText(text: string, parts: readonly string[]): { line: number; column: number } | null {
  const pointer = parts.map((part) => `/${part.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
  return placeOfPointer(new Source('specification', text), pointer, true);
}
