import { markdownLineEnding, markdownSpace } from 'micromark-util-character';
import {
  type Code,
  type Construct,
  type Effects,
  type Extension,
  type State,
  type TokenizeContext,
} from 'micromark-util-types';

declare module 'micromark-util-types' {
  interface TokenTypeMap {
    mathFlow: 'mathFlow';
    mathFence: 'mathFence';
    mathData: 'mathData';
    mathLineEnding: 'mathLineEnding';
    mathText: 'mathText';
  }
}

const DOLLAR = 36;

/** `$$f$$` inside text, and `$$` lines fencing a formula. A single `$` is money, never math. */
export function mathSyntax(): Extension {
  return {
    flow: { [DOLLAR]: { name: 'mathFlow', tokenize: tokenizeFlow, concrete: true } },
    text: { [DOLLAR]: { name: 'mathText', tokenize: tokenizeText, previous: (code) => code !== DOLLAR } },
  };
}

function fence(effects: Effects, ok: State, nok: State): State {
  let size = 0;
  const run: State = (code) => {
    if (code === DOLLAR && size < 2) {
      size++;
      effects.consume(code);
      return run;
    }
    if (size < 2) return nok(code);
    effects.exit('mathFence');
    return ok(code);
  };
  return (code) => {
    if (code !== DOLLAR) return nok(code);
    effects.enter('mathFence');
    return run(code);
  };
}

/** Optional spaces, then the end of the line. */
function lineEnd(effects: Effects, ok: State, nok: State): State {
  const end: State = (code) => (code === null || markdownLineEnding(code) ? ok(code) : nok(code));
  const space: State = (code) => {
    if (markdownSpace(code)) {
      effects.consume(code);
      return space;
    }
    effects.exit('whitespace');
    return end(code);
  };
  return (code) => {
    if (!markdownSpace(code)) return end(code);
    effects.enter('whitespace');
    return space(code);
  };
}

/** The end of a line, when the next one still belongs to the container around it. */
function nextLineOf(context: TokenizeContext): Construct {
  return {
    partial: true,
    tokenize: (effects, ok, nok) => (code) => {
      if (code === null) return nok(code);
      effects.enter('mathLineEnding');
      effects.consume(code);
      effects.exit('mathLineEnding');
      return (next) => (context.parser.lazy[context.now().line] ? nok(next) : ok(next));
    },
  };
}

function tokenizeFlow(this: TokenizeContext, effects: Effects, ok: State, nok: State): State {
  const interrupting = this.interrupt === true;
  const closing: Construct = {
    partial: true,
    tokenize: (fx, yes, no) => indented(fx, fence(fx, lineEnd(fx, yes, no), no)),
  };
  const nextLine = nextLineOf(this);
  const done: State = (code) => {
    effects.exit('mathFlow');
    return ok(code);
  };
  const eol: State = (code) => effects.attempt(nextLine, effects.attempt(closing, done, line), done)(code);
  const line: State = (code) => {
    if (code === null || markdownLineEnding(code)) return eol(code);
    effects.enter('mathData');
    return data(code);
  };
  const data: State = (code) => {
    if (code === null || markdownLineEnding(code)) {
      effects.exit('mathData');
      return eol(code);
    }
    effects.consume(code);
    return data;
  };
  const opened: State = (code) => (interrupting ? ok(code) : eol(code));
  return (code) => {
    effects.enter('mathFlow');
    return fence(effects, lineEnd(effects, opened, nok), nok)(code);
  };
}

function indented(effects: Effects, ok: State): State {
  const space: State = (code) => {
    if (markdownSpace(code)) {
      effects.consume(code);
      return space;
    }
    effects.exit('linePrefix');
    return ok(code);
  };
  return (code) => {
    if (!markdownSpace(code)) return ok(code);
    effects.enter('linePrefix');
    return space(code);
  };
}

function tokenizeText(this: TokenizeContext, effects: Effects, ok: State, nok: State): State {
  const close: State = (code) => {
    effects.exit('mathText');
    return ok(code);
  };
  const closing: Construct = { partial: true, tokenize: (fx, yes, no) => fence(fx, yes, no) };
  const between = (code: Code): State | undefined => {
    if (code === null) return nok(code);
    if (code === DOLLAR) return effects.attempt(closing, close, enterData)(code);
    if (markdownLineEnding(code)) {
      effects.enter('mathLineEnding');
      effects.consume(code);
      effects.exit('mathLineEnding');
      return between;
    }
    return enterData(code);
  };
  const enterData: State = (code) => {
    effects.enter('mathData');
    effects.consume(code);
    return data;
  };
  const data: State = (code) => {
    if (code === null || code === DOLLAR || markdownLineEnding(code)) {
      effects.exit('mathData');
      return between(code);
    }
    effects.consume(code);
    return data;
  };
  return (code) => {
    effects.enter('mathText');
    return fence(effects, (next) => (next === DOLLAR ? nok(next) : between(next)), nok)(code);
  };
}
