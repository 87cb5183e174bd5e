const NUMBER = /\d{1,3}(?:[ \u00a0\u202f'’]\d{3})+(?!\d)|\d+(?:[.,]\d+)*/g;

/**
 * The numbers of a text, sorted, without what groups their digits: `1,234`, `1.234` and `1 234` are one number. Digits
 * of other scripts are read as those of ASCII.
 */
export function numbersIn(text: string): string[] {
  const digits = text.normalize('NFKC').replace(/\p{Nd}/gu, asciiDigit);
  return [...digits.matchAll(NUMBER)].map(([number]) => number.replace(/\D/g, '')).sort();
}

/** The ten digits of a script stand in one row, which begins at a multiple of sixteen or six behind it. */
function asciiDigit(character: string): string {
  const point = character.codePointAt(0) ?? 0;
  const low = point & 15;
  const beginsRow = /\p{Nd}/u.test(String.fromCodePoint(point - low));
  return String(beginsRow ? low : low - 6);
}
