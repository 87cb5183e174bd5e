import { parseMarkdown, RichTextError, toMarkdown, withoutScripts } from '@scriptorium/rich-text';

/** Markup, and not an arrow or a smaller-than sign. */
const tag = /<[a-zA-Z!/?]/;

/** Whether a text has HTML in it. */
export function hasHTML(text: string): boolean {
  return tag.test(text);
}

/**
 * Texts with their HTML as markdown, without scripts and styles, so that nothing of it runs where it is shown. Others
 * stay as they are.
 */
export function withoutHTML(texts: readonly string[]): string[] {
  return texts.map((text) => (hasHTML(text) ? asMarkdown(withoutScripts(text)) : text));
}

function asMarkdown(text: string): string {
  try {
    return toMarkdown(parseMarkdown(text).document);
  } catch (error) {
    if (error instanceof RichTextError) return escaped(text);
    throw error;
  }
}

/** The text with its markup shown as such. */
export function escaped(text: string): string {
  return text.replaceAll('<', '&lt;');
}
