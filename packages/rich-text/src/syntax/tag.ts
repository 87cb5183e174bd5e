import { markdownLineEnding, markdownSpace } from 'micromark-util-character';
import {
  type Code,
  type Construct,
  type Effects,
  type Extension,
  type State,
  type TokenizeContext,
} from 'micromark-util-types';
import { BACKSLASH, CLOSE, DOUBLE, OPEN, PERCENT, SINGLE } from './tag-characters.js';
import { valueEnd } from './tag-value-end.js';

declare module 'micromark-util-types' {
  interface TokenTypeMap {
    tag: 'tag';
    tagData: 'tagData';
    tagLineEnding: 'tagLineEnding';
    tagText: 'tagText';
  }
}

/** Characters before which an apostrophe cannot be one, so a `'` after them opens a string. */
const BEFORE_STRING = new Set<Code>([61, 40, 44, 91, 32]);

/**
 * `{% name attribute="value" %}` as syntax: a line of its own (which also ends a paragraph or a list, as a heading
 * would), or inside text. Several tags and text between them may share the line. Only a quoted value may span lines.
 * `{%` inside a tag means that the first one was never closed: it stays text, and every attempt ends at the next one,
 * so the work is linear.
 */
export function tagSyntax(): Extension {
  return {
    flow: { [OPEN]: { name: 'tagFlow', tokenize: tokenizeLine, concrete: true } },
    text: { [OPEN]: { name: 'tagText', tokenize: tokenizeInText } },
  };
}

/** A line that begins with a whole tag, seen from the end of the line before it. */
export const tagOnNextLine: Construct = { tokenize: tokenizeNextLine, partial: true };

/** Spaces before what is a line of its own; more of them make it code. */
const MAX_INDENT = 3;

function tokenizeNextLine(this: TokenizeContext, effects: Effects, ok: State, nok: State): State {
  let indent = 0;
  const line: State = (code) => {
    if (markdownSpace(code) && indent < MAX_INDENT) {
      if (indent++ === 0) effects.enter('whitespace');
      effects.consume(code);
      return line;
    }
    if (indent > 0) effects.exit('whitespace');
    return code === OPEN ? tokenizeTag(this, effects, ok, nok, true)(code) : nok(code);
  };
  return (code) => {
    if (!markdownLineEnding(code)) return nok(code);
    effects.enter('lineEnding');
    effects.consume(code);
    effects.exit('lineEnding');
    return line;
  };
}

const opener: Construct = { tokenize: tokenizeOpener, partial: true };

function tokenizeOpener(this: TokenizeContext, effects: Effects, ok: State, nok: State): State {
  return (code) => {
    effects.enter('tagData');
    effects.consume(code);
    return (next) => {
      effects.exit('tagData');
      return next === PERCENT ? ok(next) : nok(next);
    };
  };
}

function tokenizeInText(this: TokenizeContext, effects: Effects, ok: State, nok: State): State {
  return tokenizeTag(this, effects, ok, nok, true);
}

function endText(effects: Effects, code: Code, next: State): State | undefined {
  effects.exit('chunkText');
  effects.exit('tagText');
  return next(code);
}

function tokenizeLine(this: TokenizeContext, effects: Effects, ok: State, nok: State): State {
  const interrupting = this.interrupt === true;
  const tag = (): State => tokenizeTag(this, effects, after, nok, !interrupting, interrupting ? ok : undefined);
  const after: State = (code) => {
    if (code === null || markdownLineEnding(code)) return ok(code);
    if (markdownSpace(code)) {
      effects.enter('whitespace');
      return space(code);
    }
    return part(code);
  };
  const space: State = (code) => {
    if (markdownSpace(code)) {
      effects.consume(code);
      return space;
    }
    effects.exit('whitespace');
    return code === null || markdownLineEnding(code) ? ok(code) : part(code);
  };
  const part: State = (code) => (code === OPEN ? effects.check(opener, tag(), text)(code) : text(code));
  const text: State = (code) => {
    effects.enter('tagText');
    effects.enter('chunkText', { contentType: 'text' });
    effects.consume(code);
    return inText;
  };
  const inText: State = (code) => {
    if (code === null || markdownLineEnding(code)) return endText(effects, code, ok);
    if (code === OPEN) return effects.check(opener, (next) => endText(effects, next, tag()), more)(code);
    return more(code);
  };
  const more: State = (code) => {
    effects.consume(code);
    return inText;
  };
  return tag();
}

type Reading = { quote: Code; previous: Code };

/** One tag. `early` is called at a line ending inside a value when it is enough to know that a tag begins here. */
function tokenizeTag(
  self: TokenizeContext,
  effects: Effects,
  ok: State,
  nok: State,
  multiline: boolean,
  early?: State,
): State {
  const reading: Reading = { quote: null, previous: null };
  const take = (code: Code): State => {
    effects.consume(code);
    reading.previous = code;
    return inside;
  };
  const inside: State = (code) => {
    if (code === null) return nok(code);
    if (markdownLineEnding(code)) return lineEnding(code);
    if (code === OPEN) return effects.check(opener, nok, take)(code);
    if (code === PERCENT && reading.quote === null) return percent(code);
    if (code === DOUBLE && reading.quote === DOUBLE && reading.previous === BACKSLASH)
      return effects.check(valueEnd, end, take)(code);
    reading.quote = quoteAfter(reading, code);
    return take(code);
  };
  const end = (code: Code): State => {
    reading.quote = null;
    return take(code);
  };
  const percent = (code: Code): State => {
    take(code);
    return closing(effects, ok, inside);
  };
  const lineEnding = (code: Code): State | undefined => {
    if (early && reading.quote !== null) return early(code);
    if (!multiline || reading.quote === null) return nok(code);
    effects.exit('tagData');
    return lineEndings(self, effects, inside, nok)(code);
  };
  return opening(effects, inside, nok);
}

/** Ends the tag if its last character follows. */
function closing(effects: Effects, ok: State, inside: State): State {
  return (code) => {
    if (code !== CLOSE) return inside(code);
    effects.consume(code);
    effects.exit('tagData');
    effects.exit('tag');
    return ok;
  };
}

/** The string that is open after `code`. */
function quoteAfter({ quote, previous }: Reading, code: Code): Code {
  if (quote !== null) return code === quote ? null : quote;
  return code === DOUBLE || (code === SINGLE && BEFORE_STRING.has(previous)) ? code : null;
}

function opening(effects: Effects, inside: State, nok: State): State {
  return (code) => {
    effects.enter('tag');
    effects.enter('tagData');
    effects.consume(code);
    return (next) => {
      if (next !== PERCENT) return nok(next);
      effects.consume(next);
      return inside;
    };
  };
}

/** Line endings inside a value, up to the next line that still belongs to the container around it. */
function lineEndings(self: TokenizeContext, effects: Effects, inside: State, nok: State): State {
  const one: State = (code) => {
    effects.enter('tagLineEnding');
    effects.consume(code);
    effects.exit('tagLineEnding');
    return (next) => {
      if (next === null || self.parser.lazy[self.now().line]) return nok(next);
      if (markdownLineEnding(next)) return one(next);
      effects.enter('tagData');
      return inside(next);
    };
  };
  return one;
}
