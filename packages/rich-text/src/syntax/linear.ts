import { codeText, setextUnderline } from 'micromark-core-commonmark';
import { type Construct, type Event, type Extension, type State, type TokenizeContext } from 'micromark-util-types';

const BACKTICK = 96;
/** Backticks that may open code in text. For every longer fence without an end the parser would read the whole text again. */
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
  for (let i = events.length - 1; i > 0; i--) if (events[i]?.[0] === 'enter' && events[i]?.[1].type === 'content') return i;
  return 0;
}

/** The parser's own underline copies all events of the document for every heading; here it is given only those of the heading. */
const underline: Construct = {
  ...setextUnderline,
  name: 'ownSetextUnderline',
  resolveTo(events: Event[], context: TokenizeContext): Event[] {
    const tail = events.splice(contentStart(events));
    for (const event of setextUnderline.resolveTo?.(tail, context) ?? tail) events.push(event);
    return events;
  },
};

/** The parser's constructs whose work grows with the square of the text, in a form in which it does not. */
export function linearConstructs(): Extension {
  return {
    flow: { 45: underline, 61: underline },
    text: { [BACKTICK]: shortFence },
    disable: { null: ['codeText', 'setextUnderline'] },
  };
}
