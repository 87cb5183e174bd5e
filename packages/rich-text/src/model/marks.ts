/** Marks in the order in which they nest, outermost first, in markdown and in documents read from it. */
export const MARK_ORDER = [
  'color',
  'keyboard',
  'superscript',
  'subscript',
  'strikethrough',
  'italic',
  'bold',
  'code',
] as const;
