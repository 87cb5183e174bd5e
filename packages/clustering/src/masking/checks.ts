/** Signs that may stand between the groups of a number. */
const separators = /[ ./-]+/gu;
const cardDigits = { least: 13, most: 19 } as const;

/** Where the groups of a number begin and end, and what stands behind each of them. */
interface Group {
  start: number;
  end: number;
  separator: string;
}

function groupsOf(text: string): Group[] {
  const groups: Group[] = [];
  let start = 0;
  for (const { 0: separator, index } of text.matchAll(separators)) {
    groups.push({ start, end: index, separator: separator.trim() });
    start = index + separator.length;
  }
  return [...groups, { start, end: text.length, separator: '' }];
}

/** Where the numbers of payment cards stand in a text of digits and separators; the longest from the left. */
export function cardsIn(text: string): { start: number; end: number }[] {
  const groups = groupsOf(text);
  const found: { start: number; end: number }[] = [];
  for (let first = 0; first < groups.length; first += 1) {
    const last = lastOfCard(text, groups, first);
    const [from, to] = [groups[first], groups[last ?? -1]];
    if (last === undefined || from === undefined || to === undefined) continue;
    found.push({ start: from.start, end: to.end });
    first = last;
  }
  return found;
}

/** The last group of the longest card that begins with a group. Its groups have one separator between them. */
function lastOfCard(text: string, groups: readonly Group[], first: number): number | undefined {
  const separator = groups[first]?.separator;
  const check = cardCheck();
  let longest: number | undefined;
  for (let last = first; last < groups.length; last += 1) {
    const group = groups[last];
    if (group === undefined || group.end - group.start > cardDigits.most) break;
    for (let index = group.start; index < group.end; index += 1) check.add(text.charCodeAt(index) - zero);
    if (check.digits() > cardDigits.most) break;
    if (check.passes()) longest = last;
    // Amounts, dates and versions have shorter groups with dots and slashes.
    const isShort = group.end - group.start < 4 && (separator === '.' || separator === '/');
    if (group.separator !== separator || isShort) break;
  }
  return longest;
}

const zero = 48;

/** The check digit of payment cards (Luhn), for digits that come one by one. */
function cardCheck() {
  // Every second digit from the right counts twice: by the length, those at even places or those at odd ones.
  const sums = [0, 0];
  let count = 0;
  let first = -1;
  let differs = false;
  return {
    add(digit: number): void {
      const twice = digit > 4 ? digit * 2 - 9 : digit * 2;
      const parity = count % 2;
      sums[parity] = (sums[parity] ?? 0) + twice;
      sums[1 - parity] = (sums[1 - parity] ?? 0) + digit;
      if (count === 0) first = digit;
      differs ||= digit !== first;
      count += 1;
    },
    digits: (): number => count,
    passes: (): boolean => differs && count >= cardDigits.least && (sums[count % 2] ?? 0) % 10 === 0,
  };
}

const ibanLength = { least: 15, most: 34 } as const;

/** Where an account number of ISO 13616 stands in a text of groups; the first and longest one. */
export function ibanIn(text: string): { start: number; end: number } | undefined {
  const groups = groupsOf(text);
  for (const [first, { start }] of groups.entries()) {
    const last = lastOfIban(text, groups.slice(first, first + ibanLength.most));
    if (last !== undefined) return { start, end: last.end };
  }
  return undefined;
}

/** The last of the groups with which the first ones pass the check digits. */
function lastOfIban(text: string, groups: readonly Group[]): Group | undefined {
  const start = groups[0]?.start ?? 0;
  if (!/^[a-z]{2}\d/iu.test(text.slice(start, start + 3))) return undefined;
  let head = '';
  let rest = 0;
  let length = 0;
  let longest: Group | undefined;
  for (const group of groups) {
    for (let index = group.start; index < group.end; index += 1, length += 1)
      if (length < 4) head += text.charAt(index);
      else rest = remainder(rest, text.charCodeAt(index));
    if (length > ibanLength.most) break;
    if (length >= ibanLength.least && passesWith(head, rest)) longest = group;
  }
  return longest;
}

/** Whether an account number passes: its first four signs are computed last. */
function passesWith(head: string, rest: number): boolean {
  let all = rest;
  for (let index = 0; index < head.length; index += 1) all = remainder(all, head.charCodeAt(index));
  return all === 1;
}

/** The remainder of a number by 97 when another sign of ASCII follows; letters stand for 10 to 35. */
function remainder(before: number, code: number): number {
  return code < 65 ? (before * 10 + code - zero) % 97 : (before * 100 + (code % 32) + 9) % 97;
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
