/** Bounds on one document. Every function that takes `limits` fills the missing ones from {@link DEFAULT_LIMITS}. */
export type Limits = {
  /** UTF-8 bytes of markdown. */
  maxBytes: number;
  /** Blocks, inlines, texts and fragments of a document. */
  maxNodes: number;
  /** Levels of nested blocks. Deeper markdown containers stay text. */
  maxDepth: number;
  /** Units of work of the markdown parser: nested container lines, table cells, delimiters, links and references. */
  maxWork: number;
  /**
   * Estimated cost of parsing, about microseconds: 1 a character, 35 a line, 100 a list item, 150 a table row and 60
   * each of its cells, 10 a character that may be markup, and more for definitions, footnotes and lines that go on with
   * a quote. 512 KB of prose have 1,500,000.
   */
  maxCost: number;
};

export const DEFAULT_LIMITS: Limits = {
  maxBytes: 512 * 1024,
  maxNodes: 50_000,
  maxDepth: 100,
  maxWork: 20_000,
  maxCost: 3_000_000,
};

/** The defaults with the given bounds over them. */
export function limitsOf(limits: Partial<Limits> | undefined): Limits {
  return { ...DEFAULT_LIMITS, ...limits };
}
