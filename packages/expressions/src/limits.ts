/** The bounds of the language. None of them is a clock: the same expression and scope always give the same answer. */
export const LIMITS = {
  /** UTF-16 code units of an expression's source. */
  sourceLength: 1024,
  /** Nodes of an expression; property names after a dot are part of their access. */
  nodes: 200,
  /** How deep nodes may stand inside one another; parentheses do not count. */
  depth: 32,
  /** Brackets of every kind inside one another, parentheses included. */
  brackets: 64,
  /** Evaluated nodes and scanned or built data (see `COST`) of one evaluation. */
  steps: 10_000,
  /** Elements of an array that is read or built. */
  arrayLength: 1000,
  /** Arrays inside arrays when one is turned into text. */
  textDepth: 16,
  /** Compiled expressions a compiler keeps by default. */
  cachedExpressions: 1000,
} as const;

/** What one step pays for when an operation's work depends on the size of its data. */
export const COST = {
  /** Characters read once or written. */
  charactersPerStep: 1024,
  /** Character comparisons of a substring search, at worst the product of both lengths. */
  comparisonsPerStep: 16_384,
  /** Array elements compared. */
  elementsPerStep: 16,
} as const;

/** Names that are never read, written or declared, whatever they are spelled with. */
export const FORBIDDEN_NAMES: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);
