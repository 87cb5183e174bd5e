import { cut } from '../words/normalise.js';
import { inASCII } from './in-ascii.js';
import { patterns, productIds, type Pattern } from './patterns.js';

/** Longer texts are cut before they are masked. */
export const longestMasked = 65_536;

/** A text, and the same with the signs of ASCII in which patterns search. Both have the same length. */
interface Searched {
  text: string;
  ascii: string;
}

/**
 * A text with `[e-mail]`, `[phone]`, `[card]`, `[account]`, `[ip]`, `[token]`, `[secret]`, `[number]`, `[key]`, `[id]`
 * and `[mac]` in the place of what may be personal or secret, whatever digits, blanks and dashes it is written with.
 * Names of people and postal addresses are not recognised, and ids of products stay. A masked text stays as it is when
 * it is masked again.
 */
export function maskPersonal(text: string): string {
  const whole = cut(text, longestMasked);
  const ascii = inASCII(whole);
  let masked = '';
  let last = 0;
  for (const { 0: id, index } of ascii.matchAll(productIds)) {
    masked += maskedPart({ text: whole.slice(last, index), ascii: ascii.slice(last, index) });
    last = index + id.length;
    masked += whole.slice(index, last);
  }
  return masked + maskedPart({ text: whole.slice(last), ascii: ascii.slice(last) });
}

function maskedPart(searched: Searched): string {
  return patterns.reduce(applied, searched).text;
}

function applied({ text, ascii }: Searched, { find, put, holds }: Pattern): Searched {
  const result: Searched = { text: '', ascii: '' };
  let last = 0;
  for (const match of ascii.matchAll(find)) {
    const [found, ...groups] = match;
    if (holds?.(found) === false) continue;
    const masked = typeof put === 'string' ? put : put(found, groups);
    if (masked === found) continue;
    const next = match.index + found.length;
    result.text += text.slice(last, match.index) + restored(text.slice(match.index, next), found, masked);
    result.ascii += ascii.slice(last, match.index) + masked;
    last = next;
  }
  if (last === 0) return { text, ascii };
  return { text: result.text + text.slice(last), ascii: result.ascii + ascii.slice(last) };
}

/** What was masked. What stays of it is as it was written. */
function restored(written: string, found: string, masked: string): string {
  if (written === found) return masked;
  let from = 0;
  const parts = masked.split(mark).map((part) => {
    const at = mark.test(part) ? -1 : found.indexOf(part, from);
    if (at === -1) return part;
    from = at + part.length;
    return written.slice(at, from);
  });
  return parts.join('');
}

const mark = /(\[[a-z…-]{1,10}\])/u;

/** The marks that `maskPersonal` puts. They are no words of the text. */
const marks = /\[(?:e-mail|phone|card|account|ip|token|secret|number|key|id|mac|user|…)\]/gu;

/** A masked text without the marks, for what compares its words. */
export function withoutMarks(masked: string): string {
  return masked.replace(marks, ' ');
}
