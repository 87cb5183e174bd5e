/** Whether the digits of a text pass the check digit of payment cards (Luhn). */
export function isCardNumber(text: string): boolean {
  const digits = text.replace(/\D/gu, '');
  if (digits.length < 13 || digits.length > 19 || /^(\d)\1+$/.test(digits)) return false;
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

/** Whether a text passes the check digits of ISO 13616 (account numbers). Blanks and dashes do not count. */
export function isIban(text: string): boolean {
  const compact = text.replace(/[\s-]/gu, '').toUpperCase();
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(compact)) return false;
  let rest = 0;
  for (const character of compact.slice(4) + compact.slice(0, 4)) {
    const value = Number.parseInt(character, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest === 1;
}

/** Whether a text is an IPv6 address, as far as its groups are concerned. */
export function isIpv6(text: string): boolean {
  const halves = text.split('::');
  if (halves.length > 2) return false;
  const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')));
  if (!groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return false;
  // "a::b" of a programming language is no address: one has a group of three characters.
  if (halves.length === 2) return text === '::1' || (groups.length < 8 && groups.some(({ length }) => length >= 3));
  return groups.length === 8;
}

const longestWordOfText = 40;

/**
 * Whether a run of letters, digits, `-` and `_` is a key or an id and no word: it mixes digits and letters, or is
 * longer than a word of any text.
 */
export function isToken(text: string): boolean {
  const digits = text.match(/\d/g)?.length ?? 0;
  const letters = text.length - digits - (text.match(/[-_+/=.]/g)?.length ?? 0);
  if (digits === 0) return text.length > longestWordOfText || hasCaseOfToken(text);
  if (letters === 0) return false;
  const parts = text.split(/[-_./]/u);
  const mixed = parts.filter((part) => /\d/.test(part) && /[a-z]/i.test(part));
  return mixed.some(({ length }) => length >= 12) || (text.length >= 20 && mixed.length >= 2);
}

/** Whether upper and lower case change as often as they do in base 64, and in no name that people give to things. */
function hasCaseOfToken(text: string): boolean {
  if (text.length < 24 || !/^[A-Za-z]+$/.test(text)) return false;
  const changes = text.match(/[a-z][A-Z]/g)?.length ?? 0;
  return changes >= text.length / 5;
}
