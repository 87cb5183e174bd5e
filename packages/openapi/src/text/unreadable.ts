/** A text that is no specification, with the place where that shows (both from 1). */
export class UnreadableSpecification extends Error {
  constructor(
    message: string,
    readonly place: { line: number; column: number } | null = null,
  ) {
    super(message);
    this.name = 'UnreadableSpecification';
  }
}

/** The line and the column of an offset, both from 1. */
export function placeOf(text: string, offset: number): { line: number; column: number } {
  let line = 1;
  let start = 0;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) {
    line += 1;
    start = at + 1;
  }
  return { line, column: offset - start + 1 };
}
