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
 * The hostname derived from a title: its letters without marks and its digits, joined by single dashes, 3 to 32
 * characters.
 */
export function hostnameOf(title: string): string {
  const slug = title
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(replaceable, (letter) => replacements[letter] ?? '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, 28)
    .replace(/-+$/, '');
  return slug.length >= 3 ? slug : `org-${slug}`.replace(/-$/, '');
}

/** The n-th hostname to try for a title; the first is the plain one, the second ends in `-2`. */
export function hostnameCandidate(title: string, n: number): string {
  return n === 1 ? hostnameOf(title) : `${hostnameOf(title).slice(0, 31 - String(n).length)}-${n}`;
}
