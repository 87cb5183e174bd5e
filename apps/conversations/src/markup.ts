/** The beginning of a start tag or an end tag. */
const tags = /<(\/?)([a-zA-Z][a-zA-Z0-9-]*)/g;
/** Elements that have no end. */
const empty = new Set(['area', 'base', 'br', 'col', 'embed', 'hr', 'img', 'input', 'link', 'meta', 'source', 'wbr']);
/** Elements that are open at once: more of them are no text that somebody wrote. */
const deepest = 100;

/**
 * Tells which texts are read as HTML. Reading costs by tags, so that all texts together have a number of them, and by
 * their depth, which is bounded for each.
 */
export class MarkupBudget {
  constructor(
    /** Tags that may still be read. */
    private left: number,
  ) {}

  /** Whether a text is to be read as HTML. What it has of tags is spent then. */
  allows(text: string): boolean {
    let [found, open] = [0, 0];
    for (const [, slash, name = ''] of text.matchAll(tags)) {
      found += 1;
      if (slash !== '') open = Math.max(0, open - 1);
      else if (!empty.has(name.toLowerCase())) open += 1;
      if (found > this.left || open > deepest) return false;
    }
    this.left -= found;
    return true;
  }
}

/** A text without its tags, which are not read. */
export function withoutTags(text: string): string {
  return text.replaceAll(/<[^<>]*>/g, ' ');
}
