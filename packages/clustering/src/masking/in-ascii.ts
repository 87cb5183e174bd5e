/** The zeros of decimal digits outside of ASCII; nine more follow each. */
const zeros = [
  ...[0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xde6, 0xe50, 0xed0, 0xf20],
  ...[0x1040, 0x1090, 0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80, 0x1a90, 0x1b50, 0x1bb0, 0x1c40, 0x1c50],
  ...[0xa620, 0xa8d0, 0xa900, 0xa9d0, 0xa9f0, 0xaa50, 0xabf0],
];
const fullWidth = { first: 0xff01, last: 0xff5e, distance: 0xfee0 } as const;
/** Blanks, and marks of the direction of a text, which stand around numbers. */
const blanks = /[\p{Zs}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
const dashes = /[\p{Pd}\u2212\u2043]/u;
const dots = /[\u00b7\u2022\u2024\u2027\u066b]/u;
const slashes = /[\u2044\u2215]/u;
const invisible = /[\u00ad\u200b-\u200d\u2060\ufeff]/u;
const units = 65_536;

/** What stands for each UTF-16 unit, made when it is needed first. */
function tableOfUnits(): Uint16Array {
  const table = new Uint16Array(units).map((_, code) => plainOf(code));
  for (const zero of zeros) for (let digit = 0; digit < 10; digit += 1) table[zero + digit] = codeOf('0') + digit;
  return table;
}
let made: Uint16Array | undefined;

function plainOf(code: number): number {
  if (code < 0x80) return code;
  if (code >= fullWidth.first && code <= fullWidth.last) return code - fullWidth.distance;
  const sign = String.fromCharCode(code);
  if (blanks.test(sign)) return codeOf(' ');
  if (dashes.test(sign)) return codeOf('-');
  if (dots.test(sign)) return codeOf('.');
  if (invisible.test(sign)) return unseen;
  return slashes.test(sign) ? codeOf('/') : code;
}

function codeOf(sign: string): number {
  return sign.charCodeAt(0);
}

/** Stands for signs without width. */
const unseen = 0;

/**
 * A text in which digits of all scripts, full-width letters and signs, blanks, dashes, dots and slashes are those of
 * ASCII. Each UTF-16 unit stays at its place, so what is found in it is at the same place of the text.
 */
export function inASCII(text: string): string {
  if (/^\p{ASCII}*$/u.test(text)) return text;
  made ??= tableOfUnits();
  const codes = new Uint16Array(text.length);
  for (let index = 0; index < text.length; index += 1) codes[index] = made[text.charCodeAt(index)] ?? unseen;
  // Within a number, a sign without width is what a separator is. Elsewhere it is a blank.
  for (let index = 0; index < codes.length; index += 1)
    if (codes[index] === unseen)
      codes[index] = codeOf(isOfWord(codes[index - 1]) && isOfWord(codes[index + 1]) ? '-' : ' ');
  const chunks: string[] = [];
  for (let start = 0; start < codes.length; start += chunk)
    chunks.push(String.fromCharCode(...codes.subarray(start, start + chunk)));
  return chunks.join('');
}

/** Arguments of one call. */
const chunk = 8_192;
/** The letters of other scripts begin there. */
const otherLetters = 0xaa;

function isOfWord(code = unseen): boolean {
  return code >= otherLetters || (code >= 48 && /[a-z0-9]/i.test(String.fromCharCode(code)));
}
