import { blockQuote, labelEnd, labelStartImage, labelStartLink, list } from 'micromark-core-commonmark';
import { cjkFriendlyExtension } from 'micromark-extension-cjk-friendly';
import { type Construct, type Extension, type ParseContext, type TokenizeContext } from 'micromark-util-types';
import { RichTextError } from '../model/errors.js';
import { type Limits } from '../model/limits.js';
import { withBlankLines } from './footnote.js';

/** Prefix tokens that each stand for one container open on the current line. */
const PREFIXES = new Set(['blockQuotePrefix', 'listItemPrefix', 'listItemIndent', 'gfmFootnoteDefinitionWhitespace']);

/** Containers open on the current line; nothing is counted where the line is too short to hold that many. */
function depthHere(context: TokenizeContext, enough: number): number {
  const { line, column } = context.now();
  if (column <= enough) return 0;
  let depth = 0;
  for (let i = context.events.length - 1; i >= 0; i--) {
    const event = context.events[i];
    if (!event || event[1].start.line !== line) break;
    if (event[0] === 'enter' && PREFIXES.has(event[1].type)) depth++;
  }
  return depth;
}

/**
 * Names of definitions: the parser asks for every bracket, and before every definition, whether its name is among them.
 */
class Names extends Array<string> {
  private readonly known = new Set<string>();

  override push(...names: string[]): number {
    for (const name of names) this.known.add(name);
    return super.push(...names);
  }

  override includes(name: string): boolean {
    return this.known.has(name);
  }
}

/** Before the first definition, which begins with a bracket where a container might begin too. */
function indexNames(parser: ParseContext & { gfmFootnotes?: string[] }): void {
  if (parser.defined instanceof Names) return;
  for (const key of ['defined', 'gfmFootnotes'] as const) {
    const names = new Names();
    names.push(...(parser[key] ?? []));
    parser[key] = names;
  }
}

/** Containers that begin in the first columns of a line are too few to count. */
const FREE_COLUMNS = 10;
/**
 * Delimiters of one text that may be markup. The parser pairs them in quadratic time, so further ones are just
 * characters.
 */
const MAX_DELIMITERS = 500;
const MAX_BRACKETS = 1000;

/**
 * Emphasis as the parser has it, but beside Chinese, Japanese and Korean text, which has no spaces between words: there
 * a mark behind a full stop or a bracket ends emphasis, too.
 */
const emphasis = [cjkFriendlyExtension().text?.[42] ?? []].flat();

/** The parser's constructs for emphasis and brackets, each text of the document having its own budget. */
export function guardedDelimiters(strikethrough: Construct | undefined): Extension {
  const spent = new WeakMap<TokenizeContext, number>();
  const guard = (construct: Construct, budget: number): Construct => ({
    ...construct,
    name: `guarded-${construct.name ?? ''}`,
    tokenize(effects, ok, nok) {
      const before = spent.get(this) ?? 0;
      if (before >= 1) return nok;
      spent.set(this, before + 1 / budget);
      return construct.tokenize.call(this, effects, ok, nok);
    },
  });
  const stars = emphasis.map((construct) => guard(construct, MAX_DELIMITERS));
  const text: Record<number, Construct | Construct[]> = {
    42: stars,
    95: stars,
    91: guard(labelStartLink, MAX_BRACKETS),
    93: guard(labelEnd, MAX_BRACKETS),
    33: guard(labelStartImage, MAX_BRACKETS),
    ...(strikethrough && { 126: guard(strikethrough, MAX_DELIMITERS) }),
  };
  return { text, disable: { null: ['attention', 'labelStartLink', 'labelStartImage', 'labelEnd', 'strikethrough'] } };
}

/** The containers as the parser knows them; their continuations call them by these names. */
const NAMES = ['list', 'blockQuote', 'gfmFootnoteDefinition'];

function setDisabled(context: TokenizeContext, disabled: boolean): void {
  const { null: names } = context.parser.constructs.disable;
  if (names && disabled !== names.includes('list')) {
    if (disabled) names.push(...NAMES);
    else names.splice(names.indexOf('list'), NAMES.length);
  }
}

/**
 * Block quotes, lists and footnotes that stop nesting at `maxDepth` (what is deeper stays text) and that refuse a text
 * whose containers cost more than `maxWork` steps: the parser looks at every open container on every line. They are
 * tried before the parser's own, which are switched off where they must not take over.
 */
export function guardedContainers(footnote: Construct | undefined, limits: Limits): Extension {
  let work = 0;
  const spend = (): void => {
    if (++work > limits.maxWork)
      throw new RichTextError('too_complex', 'The text nests too many lists or quotes on too many lines.');
  };
  const guard = (construct: Construct, name: string): Construct => {
    const { continuation } = construct;
    return {
      ...construct,
      name,
      tokenize(effects, ok, nok) {
        indexNames(this.parser);
        const tooDeep = depthHere(this, limits.maxDepth) >= limits.maxDepth;
        setDisabled(this, tooDeep);
        if (tooDeep) return nok;
        if (this.now().column > FREE_COLUMNS) spend();
        return construct.tokenize.call(this, effects, ok, nok);
      },
      ...(continuation && {
        continuation: {
          ...continuation,
          tokenize(effects, ok, nok) {
            setDisabled(this, false);
            if (this.now().column > FREE_COLUMNS) spend();
            return continuation.tokenize.call(this, effects, ok, nok);
          },
        },
      }),
    };
  };
  const document = byFirstCharacter(guard(list, 'guardedList'), guard(blockQuote, 'guardedQuote'));
  if (footnote) document[91] = guard(withBlankLines(footnote), 'guardedFootnote');
  return { document, disable: { null: [] } };
}

/** Lists and quotes by the codes of the characters that they begin with. */
function byFirstCharacter(items: Construct, quote: Construct): Record<number, Construct> {
  const document: Record<number, Construct> = { 42: items, 43: items, 45: items, 62: quote };
  for (let digit = 48; digit < 58; digit++) document[digit] = items;
  return document;
}
