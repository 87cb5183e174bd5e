import { blankLine } from 'micromark-core-commonmark';
import { markdownSpace } from 'micromark-util-character';
import { type Construct, type Effects, type State } from 'micromark-util-types';

/** What the lines of a note are indented by. */
const NOTE_INDENT = 4;

/** A footnote whose blank lines are indented as its others are: only spaces beyond that are part of code in it. */
export function withBlankLines(footnote: Construct): Construct {
  const { continuation } = footnote;
  if (!continuation) return footnote;
  return {
    ...footnote,
    continuation: {
      ...continuation,
      tokenize(effects, ok, nok) {
        return effects.check(blankLine, indented(effects, ok), continuation.tokenize.call(this, effects, ok, nok));
      },
    },
  };
}

function indented(effects: Effects, ok: State): State {
  let indent = 0;
  const space: State = (code) => {
    if (markdownSpace(code) && indent < NOTE_INDENT) {
      if (indent++ === 0) effects.enter('gfmFootnoteDefinitionIndent');
      effects.consume(code);
      return space;
    }
    if (indent > 0) effects.exit('gfmFootnoteDefinitionIndent');
    return ok(code);
  };
  return space;
}
