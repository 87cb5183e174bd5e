import { placeOf } from './unreadable.js';

/** What a text is that is no object, in words. */
export function receivedIn(text: string, value: unknown): string {
  const markup = markupIn(text);
  if (markup !== null) return markup;
  if (Array.isArray(value)) return 'a list';
  if (value === null || value === undefined) return 'nothing';
  return typeof value === 'string' ? 'a text' : `a ${typeof value}`;
}

/** Pages that tell of a mistake come where a specification was, too. */
export function markupIn(text: string): string | null {
  if (/^\s*<(?:!doctype\s+html|html|head|body)\b/i.test(text)) return 'an HTML page';
  return /^\s*<(?:\?xml|!doctype|[a-z][\w:.-]*[\s/>])/i.test(text) ? 'XML' : null;
}

/** Where a text begins to say something. */
export function beginningOf(text: string): { line: number; column: number } {
  return placeOf(text, Math.max(0, text.search(/\S/)));
}

/** Where the second document of a text in YAML begins. */
export function secondDocumentIn(text: string): { line: number; column: number } | null {
  let hasContent = false;
  for (const [index, line] of text.split('\n').entries()) {
    if (/^(?:---|\.\.\.)(?:\s|$)/.test(line)) {
      if (hasContent) return { line: index + 1, column: 1 };
      hasContent = /^---\s+[^\s#]/.test(line);
    } else hasContent ||= /^\s*[^\s#%]/.test(line);
  }
  return null;
}
