import { parseMarkdown, RichTextError, toMarkdown, withoutScripts } from '@scriptorium/rich-text';
import { MarkupBudget } from '../markup.js';

/** Markup, and not an arrow or a smaller-than sign. */
const tag = /<[a-zA-Z!/?]/;

/** Tags of one answer that are read. */
const mostTags = 8_000;

/** Whether a text has HTML in it. */
export function hasHTML(text: string): boolean {
  return tag.test(text);
}

/**
 * Texts with their HTML as markdown, without scripts and styles, so that nothing of it runs where it is shown. Others
 * stay as they are. Markup that is too deep, or too much, is shown as text.
 */
export function withoutHTML(texts: readonly string[]): string[] {
  const budget = new MarkupBudget(mostTags);
  return texts.map((text) => {
    if (!hasHTML(text)) return text;
    const shown = withoutScripts(text);
    return budget.allows(shown) ? asMarkdown(shown) : escaped(text);
  });
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
