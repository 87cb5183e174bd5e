import { cut } from '../words/normalise.js';
import { patterns } from './patterns.js';

/** Longer texts are cut before they are masked. */
export const longestMasked = 65_536;

/**
 * A text with `[e-mail]`, `[phone]`, `[card]`, `[account]`, `[ip]`, `[token]`, `[secret]`, `[number]`, `[key]`, `[id]`
 * and `[mac]` in the place of what may be personal or secret. Names of people and postal addresses are not recognised.
 * A masked text stays as it is when it is masked again.
 */
export function maskPersonal(text: string): string {
  let masked = cut(text, longestMasked);
  for (const { find, put, holds } of patterns)
    masked = masked.replace(find, (found: string, ...rest: unknown[]) => {
      if (holds?.(found) === false) return found;
      if (typeof put === 'string') return put;
      return put(
        found,
        rest
          .slice(
            0,
            rest.findIndex((value) => typeof value === 'number'),
          )
          .map(asGroup),
      );
    });
  return masked;
}

const asGroup = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** The marks that `maskPersonal` puts. They are no words of the text. */
const marks = /\[(?:e-mail|phone|card|account|ip|token|secret|number|key|id|mac|user|…)\]/gu;

/** A masked text without the marks, for what compares its words. */
export function withoutMarks(masked: string): string {
  return masked.replace(marks, ' ');
}
