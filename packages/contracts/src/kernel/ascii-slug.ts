/** Replacements for letters that Unicode decomposition does not reduce to an ASCII letter. */
const replacements: Readonly<Record<string, string>> = {
  ø: 'o',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  þ: 'th',
  ı: 'i',
  ħ: 'h',
  ŧ: 't',
  ŋ: 'n',
  ĸ: 'k',
};
const replaceable = new RegExp(`[${Object.keys(replacements).join('')}]`, 'g');

/**
 * The letters of a text without marks and its digits, in lower case and joined by single dashes: at most `longest`
 * characters, maybe none.
 */
export function asciiSlug(text: string, longest: number): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(replaceable, (letter) => replacements[letter] ?? '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, longest)
    .replace(/-+$/, '');
}
