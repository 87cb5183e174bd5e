/**
 * Subject rules of NATS. Subjects are handled as latin1 strings, so that the bytes of UTF-8 names
 * pass through unchanged.
 */

/** A subject one may subscribe to: tokens without gaps, `>` only as the last token. */
export function isValidSubject(subject: string): boolean {
  if (!hasWholeTokens(subject)) return false;
  const rest = subject.indexOf('>');
  if (rest === -1) return true;
  return subject.split('.').every((token, at, all) => token !== '>' || at === all.length - 1);
}

/** A subject one may publish to: valid, and without wildcard tokens. */
export function isLiteralSubject(subject: string): boolean {
  return hasWholeTokens(subject) && !subject.split('.').some((token) => token === '*' || token === '>');
}

/** False for empty subjects and for empty tokens (`.a`, `a..b`, `a.`), which match no subscription. */
export function hasWholeTokens(subject: string): boolean {
  return (
    subject.length > 0 &&
    subject.charCodeAt(0) !== DOT &&
    subject.charCodeAt(subject.length - 1) !== DOT &&
    !subject.includes('..')
  );
}

/** `$SYS` belongs to the system account, which no client of this server is in. */
export function isSystemSubject(subject: string): boolean {
  return subject.charCodeAt(0) === DOLLAR && (subject === '$SYS' || subject.startsWith('$SYS.'));
}

const DOT = 46;
const DOLLAR = 36;
