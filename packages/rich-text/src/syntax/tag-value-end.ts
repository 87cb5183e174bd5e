import { markdownLineEnding, markdownSpace } from 'micromark-util-character';
import { type Code, type Construct, type Effects, type State, type TokenizeContext } from 'micromark-util-types';
import { CLOSE, DOUBLE, EQUALS, PERCENT, SINGLE } from './tag-characters.js';

/** Characters of a name that may tell that the value before it has ended. */
export const MAX_NAME = 64;

/**
 * A quote behind a backslash ends a value all the same (`"C:\\"`) before another attribute and before the end of the
 * tag.
 */
export const valueEnd: Construct = { tokenize: tokenizeValueEnd, partial: true };

function tokenizeValueEnd(this: TokenizeContext, effects: Effects, ok: State, nok: State): State {
  let length = 0;
  let spaced = false;
  const take =
    (next: State): State =>
    (code) => {
      effects.consume(code);
      return next;
    };
  const space: State = (code) => {
    spaced ||= markdownSpace(code);
    if (markdownSpace(code)) return take(name)(code);
    return code === PERCENT ? take(brace)(code) : done(nok)(code);
  };
  const name: State = (code) => {
    if (length === 0 && (markdownSpace(code) || code === PERCENT)) return space(code);
    if (code === EQUALS && length > 0) return done(ok)(code);
    return isNameCharacter(code) && length++ < MAX_NAME ? take(name)(code) : done(nok)(code);
  };
  const brace: State = (code) => {
    if (code === CLOSE) return done(ok)(code);
    if (!spaced) return done(nok)(code);
    length = 1;
    return name(code);
  };
  const done =
    (next: State): State =>
    (code) => {
      effects.exit('tagData');
      return next(code);
    };
  return (code) => {
    effects.enter('tagData');
    return take(space)(code);
  };
}

const isNameCharacter = (code: Code): boolean =>
  code !== null &&
  !markdownLineEnding(code) &&
  !markdownSpace(code) &&
  code !== DOUBLE &&
  code !== SINGLE &&
  code !== EQUALS;
