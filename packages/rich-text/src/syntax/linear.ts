import { codeText, setextUnderline } from 'micromark-core-commonmark';
import {
  type Code,
  type Construct,
  type Event,
  type Extension,
  type State,
  type TokenizeContext,
} from 'micromark-util-types';
import './edit-map.js';

const BACKTICK = 96;
/**
 * Backticks that may open code in text. For every longer fence without an end the parser would read the whole text
 * again.
 */
const LONGEST_FENCE = 32;

const shortFence: Construct = {
  ...codeText,
  name: 'shortCodeText',
  tokenize(effects, ok, nok) {
    let size = 0;
    const counted =
      (state: State): State =>
      (code) => {
        if (code !== BACKTICK) return state(code);
        if (++size > LONGEST_FENCE) return nok(code);
        const next = state(code);
        return next && counted(next);
      };
    return counted(codeText.tokenize.call(this, effects, ok, nok));
  },
};

/** Where the content begins that the underline makes a heading of. */
function contentStart(events: readonly Event[]): number {
  for (let i = events.length - 1; i > 0; i--)
    if (events[i]?.[0] === 'enter' && events[i]?.[1].type === 'content') return i;
  return 0;
}

/**
 * The parser's own underline copies all events of the document for every heading; here it is given only those of the
 * heading.
 */
const underline: Construct = {
  ...setextUnderline,
  name: 'ownSetextUnderline',
  resolveTo(events: Event[], context: TokenizeContext): Event[] {
    const tail = events.splice(contentStart(events));
    for (const event of setextUnderline.resolveTo?.(tail, context) ?? tail) events.push(event);
    return events;
  },
};

/** Text that follows text belongs to it. */
function mergeData(events: Event[]): Event[] {
  const [before, enter, exit] = events.slice(-3);
  if (before?.[1].type !== 'data' || !enter || !exit) return events;
  before[1].end = exit[1].end;
  events.length -= 2;
  return events;
}

/**
 * A character that nothing begins with, and what follows up to the next that something may begin with. The parser would
 * read the same as a further piece of text, and join the pieces in the end, for each of them moving all that follows.
 */
function data(content: 'text' | 'string'): Construct {
  return {
    name: `${content}Data`,
    resolveTo: mergeData,
    tokenize(effects, ok) {
      const constructs = this.parser.constructs[content];
      const mayBegin = (code: Code): boolean => {
        const found = code === null ? undefined : constructs[code];
        return (
          found !== undefined && [found].flat().some(({ previous }) => !previous || previous.call(this, this.previous))
        );
      };
      const inside: State = (code) => {
        if (code === null || mayBegin(code)) {
          effects.exit('data');
          return ok(code);
        }
        effects.consume(code);
        return inside;
      };
      return (code) => {
        effects.enter('data');
        effects.consume(code);
        return inside;
      };
    },
  };
}

/** The parser's constructs whose work grows with the square of the text, in a form in which it does not. */
export function linearConstructs(): Extension {
  return {
    flow: { 45: underline, 61: underline },
    string: { null: data('string') },
    text: { [BACKTICK]: shortFence, null: data('text') },
    disable: { null: ['codeText', 'setextUnderline'] },
  };
}
