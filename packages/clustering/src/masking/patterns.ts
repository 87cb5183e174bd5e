import { isCardNumber, isIban, isIpv6, isToken } from './checks.js';

/** What is found, and what stands in its place. */
export interface Pattern {
  find: RegExp;
  put: string | ((found: string, groups: readonly (string | undefined)[]) => string);
  /** Found text for which this is false stays. */
  holds?: (found: string) => boolean;
}

const begin = '(?<![\\p{L}\\p{N}_])';
const end = '(?![\\p{L}\\p{N}_])';
const between = (source: string, flags = 'gu'): RegExp => new RegExp(`${begin}(?:${source})${end}`, flags);

/** Words that tell that a secret follows, in the languages that are asked for most. */
const secretWords = [
  'password|passwort|passwd|passphrase|passcode|pwd|kennwort|mot de passe|contraseña|senha|wachtwoord|lösenord|пароль|密码|パスワード',
  'api[ _-]?key|api[ _-]?token|access[ _-]?key|access[ _-]?token|auth[ _-]?token|secret[ _-]?key|client[ _-]?secret|secret|token',
  'pin|pin[ -]?code|cvv|cvc|security code|otp|one[- ]time code|verification code|recovery code',
].join('|');
/** Words that tell that the number of a person follows. */
const numberWords = [
  'ssn|social security(?: number)?|passport(?: number| no)?|tax id|national id|id card(?: number)?|driving licen[cs]e(?: number)?',
  'account(?: number| no)|sort code|routing number|card number|customer(?: number| id| no)|iban|bic|swift|vat(?: number| id)?',
].join('|');

const hasDigit = (found: string): boolean => /\d/u.test(found);
const digitsOf = (found: string): number => found.match(/\p{Nd}/gu)?.length ?? 0;

/** Whether what looks like the number of a phone is one, and no date, time, version or amount. */
function isPhone(found: string): boolean {
  const digits = digitsOf(found);
  if (digits < 7 || digits > 15) return false;
  if (/^\d{4}[-./ ]\d{1,2}[-./ ]\d{1,2}(?!\d)/.test(found) || /^\d{1,2}[-./]\d{1,2}[-./]\d{4}(?!\d)/.test(found))
    return false;
  // Amounts have groups of three behind the first; version numbers have dots and few digits.
  if (/^\d{1,3}(?: \d{3})+$/.test(found) && !found.startsWith('0')) return false;
  if (/^\d+(?:\.\d+)+$/.test(found)) return digits >= 9 && !/\.\d(?:\.|$)/.test(found);
  // Lists of amounts have both signs; phones are written with one.
  if (found.includes('.') && found.includes(' ')) return false;
  return found.startsWith('+') || found.startsWith('(') || found.startsWith('0') || /[\s./-]/u.test(found);
}

/** A secret behind its word: "is" and signs between the two stay, the secret does not. */
const put = (mask: string) => (_: string, groups: readonly (string | undefined)[]) => `${groups[0] ?? ''}${mask}`;

/** In the order in which they are applied: what contains others comes first. */
export const patterns: readonly Pattern[] = [
  {
    find: /-----BEGIN [A-Z ]{1,40}-----(?:[\s\S]{0,8000}?-----END [A-Z ]{1,40}-----|[A-Za-z0-9+/=\s]{0,8000})/gu,
    put: '[key]',
  },
  // User, password, query and fragment of an address may be secrets; where it leads may be what it is about.
  {
    find: /\b([a-z][a-z0-9+.-]{1,20}:\/\/)([^\s/?#@<>"']{1,256}@)?([^\s/?#<>"'@]{1,256})([^\s?#<>"']{0,2048})([?#][^\s<>"']{0,4096})?/giu,
    put: (_, [scheme = '', user, host = '', path = '', query]) =>
      `${scheme}${user === undefined ? '' : '[user]@'}${host}${path}${query === undefined ? '' : '?[…]'}`,
  },
  { find: /\bmailto:/giu, put: '' },
  {
    find: /[\p{L}\p{N}._%+'-]{1,64}(?:@|＠| ?[[(]at[\])] ?)[\p{L}\p{N}-]{1,63}(?:(?:\.| ?[[(]dot[\])] ?)[\p{L}\p{N}-]{1,63}){1,8}/giu,
    put: '[e-mail]',
  },
  { find: between('eyJ[\\w-]{8,}\\.[\\w-]{8,}(?:\\.[\\w-]*)?'), put: '[token]' },
  {
    find: /\b(bearer|basic)\s+[\w.~+/=-]{8,4096}/giu,
    put: (_, [scheme = '']) => `${scheme} [token]`,
    // "Basic settings" are words.
    holds: (found) => /\d|=$|\p{Ll}\p{Lu}/u.test(found.replace(/^\S+\s+/u, '')),
  },
  {
    find: between(
      '(?:sk|pk|rk|whsec|ghp|gho|ghu|ghs|ghr|github_pat|glpat|xox[abprs]|AKIA|ASIA|AIza|SG|npm|hf|shpat|key|tok)[-_.]?[\\w.-]{12,255}',
    ),
    put: '[token]',
    holds: hasDigit,
  },
  {
    find: new RegExp(
      `(${begin}(?:[\\w-]{1,40}[_-])?(?:${secretWords})${end}["']?\\s{0,3}(?:(?:is|was|ist|lautet|est|es|é|=|:|：|=>|->)\\s{0,3})["'\`]?)([^\\s"'\`,;]{3,256})`,
      'giu',
    ),
    put: put('[secret]'),
    // "my password is wrong" tells no secret: one has a digit, a sign or both cases.
    holds: (found) => isSecret(/(\S+)$/u.exec(found)?.[1]?.replace(/^["'`]|[.!?]+$/gu, '') ?? ''),
  },
  {
    find: between('[A-Z]{2}\\d{2}(?:[ -]?[A-Z0-9]){11,40}', 'giu'),
    put: (found) => beginningMasked(found, isIban, '[account]'),
  },
  {
    find: new RegExp(
      `(${begin}(?:${numberWords})${end}\\s{0,3}(?:(?:is|was|=|:|#)\\s{0,3}){0,2})([\\p{L}\\p{N}][\\p{L}\\p{N} ./-]{2,40}[\\p{L}\\p{N}])`,
      'giu',
    ),
    put: (found, [word = '', number = '']) => `${word}${numberMasked(number)}`,
    holds: hasDigit,
  },
  {
    find: between('\\d(?:[ -]?\\d){12,24}'),
    put: (found) => beginningMasked(found, isCardNumber, '[card]'),
  },
  { find: between('[0-9a-f]{2}(?:[:-][0-9a-f]{2}){5}', 'giu'), put: '[mac]' },
  {
    find: /(?<![\p{L}\p{N}_.])(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)(?![\p{L}\p{N}_]|\.\d)/gu,
    put: '[ip]',
  },
  { find: /(?<![\p{L}\p{N}_:])[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){2,8}(?![\p{L}\p{N}_:])/giu, put: '[ip]', holds: isIpv6 },
  { find: between('[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}', 'giu'), put: '[id]' },
  { find: between('\\d{3}-\\d{2}-\\d{4}'), put: '[number]' },
  { find: /(?<![\p{L}\p{N}_.+-])\+?\(?\d[\d \u00a0()./-]{5,28}\d(?![\p{L}\p{N}_])/gu, put: '[phone]', holds: isPhone },
  {
    find: /(?<![\p{L}\p{N}_])[\p{L}\p{N}][\p{L}\p{N}_+=-]{15,4096}(?![\p{L}\p{N}_])/gu,
    put: '[token]',
    holds: isToken,
  },
  { find: /(?<![\p{L}\p{N}_.,])\p{Nd}{7,64}(?![\p{L}\p{N}_])/gu, put: '[number]' },
];

function isSecret(value: string): boolean {
  if (value.startsWith('[')) return false;
  return /\p{N}/u.test(value) || /[^\p{L}\p{N}.,!?)]/u.test(value.slice(0, -1)) || /\p{Ll}\p{Lu}/u.test(value);
}

/** The number at the beginning of a text is masked; the words behind it stay. */
function numberMasked(text: string): string {
  return text.replace(/^(?:(?:[A-Z]{1,3}[ -]?)?\S*\p{N}\S*(?:[ ./-]+(?=\S*\p{N})\S+)*)/u, '[number]');
}

/** The longest beginning of a text that ends with one of its groups and passes a check is masked; the rest stays. */
function beginningMasked(text: string, passes: (beginning: string) => boolean, mask: string): string {
  const ends = [...text.matchAll(/[ -]|$/gu)].map(({ index }) => index).reverse();
  const found = ends.find((index) => passes(text.slice(0, index)));
  return found === undefined ? text : mask + text.slice(found);
}
