import { htmlFlow, htmlText } from 'micromark-core-commonmark';
import { markdownLineEndingOrSpace } from 'micromark-util-character';
import { type Code, type Construct, type Extension, type State } from 'micromark-util-types';
import { tagOnNextLine } from './tag.js';

const LESS_THAN = 60;
const GREATER_THAN = 62;
/** `<!` and `<?` begin comments, declarations and instructions. */
const MARKERS = new Set<Code>([33, 63]);
const RAW_NAMES = new Set(['pre', 'script', 'style', 'textarea']);
const LONGEST_NAME = 8;

/** The beginning of HTML that ends at a marker of its own, so that any line before that belongs to it. */
const ownEnd: Construct = {
  partial: true,
  tokenize(effects, ok, nok) {
    let name = '';
    const inName: State = (code) => {
      if (code === null || code === GREATER_THAN || markdownLineEndingOrSpace(code))
        return (RAW_NAMES.has(name.toLowerCase()) ? ok : nok)(code);
      if (name.length === LONGEST_NAME) return nok(code);
      name += String.fromCodePoint(code);
      effects.consume(code);
      return inName;
    };
    return (code) => {
      effects.enter('htmlFlowData');
      effects.consume(code);
      return (next) => (MARKERS.has(next) ? ok : inName)(next);
    };
  },
};

/** The parser's HTML goes on up to a blank line; a tag ends it too, because its other half would be lost in it. */
const html: Construct = {
  ...htmlFlow,
  name: 'htmlUpToTag',
  tokenize(effects, ok, nok) {
    const end: State = (code) => {
      effects.exit('htmlFlow');
      return ok(code);
    };
    // It looks at the next line by checks alone, each of them between two lines.
    const untilTag: typeof effects = {
      ...effects,
      check: (construct, yes, no) => effects.check(tagOnNextLine, end, effects.check(construct, yes, no)),
    };
    const tokenize = (own: typeof effects): State => htmlFlow.tokenize.call(this, own, ok, nok);
    return effects.check(ownEnd, tokenize(effects), tokenize(untilTag));
  },
};

/**
 * Characters of a document that may be read as HTML that turns out to be none. Behind them, HTML among text stays text.
 */
const MAX_MISREAD = 500_000;

/** Comments without an end, and the like: for each of them the parser reads all the rest of its text. */
function boundedText(): Construct {
  let misread = 0;
  return {
    ...htmlText,
    name: 'boundedHtmlText',
    tokenize(effects, ok, nok) {
      if (misread > MAX_MISREAD) return nok;
      const { offset } = this.now();
      return htmlText.tokenize.call(this, effects, ok, (code) => {
        misread += this.now().offset - offset;
        return nok(code);
      });
    },
  };
}

export function htmlSyntax(): Extension {
  return {
    flow: { [LESS_THAN]: html },
    text: { [LESS_THAN]: boundedText() },
    disable: { null: ['htmlFlow', 'htmlText'] },
  };
}
