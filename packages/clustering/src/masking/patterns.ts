import { cardsIn, ibanIn, isIpv6, isToken } from './checks.js';
import { isSecretAccessKey, knownTokens, likelyTokens } from './tokens.js';

/** What is found, and what stands in its place. */
export interface Pattern {
  find: RegExp;
  put: string | ((found: string, groups: readonly (string | undefined)[]) => string);
  /** Found text for which this is false stays. */
  holds?: (found: string) => boolean;
}

/** Scripts whose words stand beside each other without blanks, and so beside numbers. */
const unspaced =
  '(?![\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}ー\\p{sc=Hangul}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}])';
const begin = `(?<!${unspaced}[\\p{L}\\p{N}_])`;
const end = `(?!${unspaced}[\\p{L}\\p{N}_])`;
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
  if (isPeriodOrShortDate(found)) return false;
  // Amounts have groups of three behind the first; version numbers have dots and few digits.
  if (/^[1-9]\d{0,2}(?:( |\.)\d{3})(?:\1\d{3})*$/.test(found)) return false;
  if (/^\d+(?:\.\d+)+$/.test(found)) return digits >= 9 && !/\.\d(?:\.|$)/.test(found);
  // Lists of amounts have both signs; phones are written with one.
  if (found.includes('.') && found.includes(' ')) return false;
  return found.startsWith('+') || found.startsWith('(') || found.startsWith('0') || /[\s./-]/u.test(found);
}

/** Years from one to another, or a day with two digits of its year and perhaps an hour. */
function isPeriodOrShortDate(found: string): boolean {
  return (
    /^(?:1[89]|20)\d{2} ?[-/] ?(?:1[89]|20)\d{2}$/.test(found) ||
    /^(?:0?[1-9]|[12]\d|3[01])([-./])(?:0?[1-9]|[12]\d|3[01])\1\d{2}(?: \d{1,2})?$/.test(found)
  );
}

/** The sign of an e-mail address, as people, browsers and markup write it. */
const at = '(?:@|%(?:25)?40|&#(?:64|x40);|&commat;| ?[[(]at[\\])] ?)';
/** Signs of the part before it. A search begins only where they begin, so long runs of them cost little. */
const local = "[\\p{L}\\p{N}._%+'-]";
const domain = '[\\p{L}\\p{N}-]{1,63}(?:(?:\\.| ?[[(]dot[\\])] ?)[\\p{L}\\p{N}-]{1,63}){1,8}';

const uuid = '[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}';
/** Ids of things that are sold are no secrets. In an address they may be. */
export const productIds = new RegExp(
  `(?<=(?<![\\p{L}\\p{N}_?&/=#])(?:product|produkt|produit|producto|article|artikel|item|sku|variant|model)s?(?:[ _-]?(?:id|uuid|no|number))?(?: is)?[ :=#]{1,3})${uuid}${end}`,
  'giu',
);

/** A secret behind its word: "is" and signs between the two stay, the secret does not. */
const put = (mask: string) => (_: string, groups: readonly (string | undefined)[]) => `${groups[0] ?? ''}${mask}`;

/** In the order in which they are applied: what contains others comes first. */
export const patterns: readonly Pattern[] = [
  {
    find: /-----BEGIN [A-Z0-9 ]{1,40}-----(?:(?:[^-]|-(?!----)){0,16000}-----END [A-Z0-9 ]{1,40}-----|[\w+/=\s\\]{0,16000})/gu,
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
    find: new RegExp(
      `(?:(?<!${local})${local}+|"[^"\\n]{1,64}")${at}(?:${domain}|localhost(?![\\p{L}\\p{N}_]))`,
      'giu',
    ),
    put: '[e-mail]',
  },
  {
    find: /\b(bearer|basic)\s+[\w.~+/=-]{8,4096}/giu,
    put: (_, [scheme = '']) => `${scheme} [token]`,
    // "Basic settings" are words.
    holds: (found) => /\d|=$|\p{Ll}\p{Lu}/u.test(found.replace(/^\S+\s+/u, '')),
  },
  { find: between(knownTokens), put: '[token]' },
  { find: between(likelyTokens), put: '[token]', holds: hasDigit },
  {
    find: new RegExp(
      `((?<![\\w-])${begin}(?:[\\w-]*[_-])?(?:${secretWords})${end}["']?\\s{0,3}(?:(?:is|was|ist|lautet|est|es|é|=|:|：|=>|->)\\s{0,3})["'\`]?)([^\\s"'\`,;]{3,256})`,
      'giu',
    ),
    put: put('[secret]'),
    // "my password is wrong" tells no secret: one has a digit, a sign or both cases.
    holds: (found) => isSecret(/(\S+)$/u.exec(found)?.[1]?.replace(/^["'`]|[.!?]+$/gu, '') ?? ''),
  },
  {
    find: /(?<![A-Za-z0-9/+=])[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])/gu,
    put: '[token]',
    holds: isSecretAccessKey,
  },
  { find: between('[A-Z]{2}\\d{2}(?:[ .-]{0,2}[A-Z0-9]){11,40}', 'giu'), put: ibanMasked },
  {
    find: new RegExp(
      `(${begin}(?:${numberWords})${end}\\s{0,3}(?:(?:is|was|=|:|#)\\s{0,3}){0,2})([\\p{L}\\p{N}][\\p{L}\\p{N} ./-]{2,40}[\\p{L}\\p{N}])`,
      'giu',
    ),
    put: (found, [word = '', number = '']) => `${word}${numberMasked(number)}`,
    holds: hasDigit,
  },
  { find: between('\\d(?:[ ./-]{0,3}\\d){12,200}'), put: cardsMasked },
  { find: between('[0-9a-f]{2}(?:[:-][0-9a-f]{2}){5}', 'giu'), put: '[mac]' },
  {
    find: /(?<![\p{L}\p{N}_.])(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)(?![\p{L}\p{N}_]|\.\d)/gu,
    put: '[ip]',
  },
  { find: /(?<![\p{L}\p{N}_:])[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){2,8}(?![\p{L}\p{N}_:])/giu, put: '[ip]', holds: isIpv6 },
  { find: between(uuid, 'giu'), put: '[id]' },
  { find: between('\\d{3}-\\d{2}-\\d{4}'), put: '[number]' },
  { find: new RegExp(`(?<![.+-])${begin}\\+?\\(?\\d[\\d ()./-]{5,28}\\d${end}`, 'gu'), put: '[phone]', holds: isPhone },
  {
    find: /(?<![\p{L}\p{N}_])[\p{L}\p{N}][\p{L}\p{N}_+=-]{15,}(?![\p{L}\p{N}_])/gu,
    put: '[token]',
    holds: isToken,
  },
  { find: new RegExp(`(?<![.,])${begin}\\p{Nd}{7,}${end}`, 'gu'), put: '[number]' },
];

function isSecret(value: string): boolean {
  if (value.startsWith('[')) return false;
  return /\p{N}/u.test(value) || /[^\p{L}\p{N}.,!?)]/u.test(value.slice(0, -1)) || /\p{Ll}\p{Lu}/u.test(value);
}

/** The number at the beginning of a text is masked; the words behind it stay. */
function numberMasked(text: string): string {
  return text.replace(/^(?:(?:[A-Z]{1,3}[ -]?)?\S*\p{N}\S*(?:[ ./-]+(?=\S*\p{N})\S+)*)/u, '[number]');
}

function ibanMasked(text: string): string {
  const found = ibanIn(text);
  return found === undefined ? text : `${text.slice(0, found.start)}[account]${text.slice(found.end)}`;
}

function cardsMasked(text: string): string {
  return cardsIn(text).reduceRight((rest, { start, end }) => `${rest.slice(0, start)}[card]${rest.slice(end)}`, text);
}
