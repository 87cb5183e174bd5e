import { linesOf } from '../dialects/lines.js';
import { RichTextError } from '../model/errors.js';
import { type Limits } from '../model/limits.js';

/** What parsing costs, about microseconds: measured on texts of nothing but the one thing, and rounded up. */
const LINE = 35;
const LIST_ITEM = 100;
const TABLE_ROW = 150;
/**
 * Of every row, as many as the head has, however few are written. Rounded up so far that no more cells pass than a
 * document has nodes.
 */
const TABLE_CELL = 60;
const OPEN_CONTAINER = 3;
/**
 * Of a line that goes on with a quote or an item without its marker, for every such line before it: the parser goes
 * through them all.
 */
const LAZY_LINE = 1 / 20;
const DEFINITION = 25;
const FOOTNOTE = 40;
const MARKUP = 10;

/** Characters that each make the parser try something. Emphasis and brackets have budgets of their own. */
const MARKUP_CHARACTERS = /[`\\<&[]|\{%|\$\$/g;
const CONTAINERS = /^(?:[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])(?![^ \t])))+/;
const LIST_MARKER = /[-*+.)]/;
/** An item that begins whatever goes on before it. */
const BULLET = /^ {0,3}[-*+][ \t]+\S/;
const DELIMITER_ROW = /^[ \t>|:-]*-[ \t:]*\|/;
const DEFINITIONS = /^[ \t>]*\[[^\][]{1,999}\]:/gm;

function count(text: string, pattern: RegExp): number {
  let found = 0;
  pattern.lastIndex = 0;
  while (pattern.test(text)) found++;
  return found;
}

/** The cost of lines: of each, of each item and row that begins there, and of the containers a line is read on in. */
function costOfLines(text: string): number {
  let cost = 0;
  let columns = 0;
  let open = 0;
  let lazy = 0;
  for (const line of text.split(/\r\n?|\n/)) {
    cost += LINE;
    if (line.trim() === '') {
      columns = open = lazy = 0;
      continue;
    }
    const [markers = ''] = CONTAINERS.exec(line) ?? [];
    if (LIST_MARKER.test(markers)) cost += LIST_ITEM;
    const own = markers.replace(/[ \t]/g, '').length;
    open = Math.max(open, own);
    if (BULLET.test(line)) lazy = 0;
    else if (own < open && !LIST_MARKER.test(markers)) cost += LAZY_LINE * ++lazy;
    cost += OPEN_CONTAINER * open;
    if (columns > 0) cost += TABLE_ROW + TABLE_CELL * columns;
    else if (DELIMITER_ROW.test(line)) columns = count(line, /\|/g);
  }
  return cost;
}

/** UTF-8 bytes of a text. */
function byteLength(text: string): number {
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit > 0x7f) bytes += unit > 0x7ff && (unit < 0xd800 || unit > 0xdfff) ? 2 : 1;
  }
  return bytes;
}

/** How many times as many brackets there may be with those in code: what code is, only the parser knows for sure. */
const WITH_CODE = 5;

/** Refuses a text with too many characters of tables or of links outside of code. */
function checkCharacters(text: string, limits: Limits): void {
  const [bars, brackets] = [limits.maxWork / 2, limits.maxWork];
  const allBrackets = count(text, /\]/g);
  if (allBrackets <= brackets && count(text, /\|/g) <= bars) return;
  const counted = outsideOfCode(text);
  if (counted.bars > bars)
    throw new RichTextError('too_complex', `The text has more than ${bars} characters | of tables outside of code.`);
  if (counted.brackets > brackets || allBrackets > WITH_CODE * brackets)
    throw new RichTextError(
      'too_complex',
      `The text has more than ${brackets} links and references (characters ] outside of code).`,
    );
}

/** The bars and the brackets outside of code. A bar in a row of a table ends a cell in code, too. */
function outsideOfCode(text: string): { bars: number; brackets: number } {
  let [bars, brackets] = [0, 0];
  let inTable = false;
  for (const { text: line, isCode } of linesOf(text, false)) {
    if (isCode) continue;
    inTable = line.trim() !== '' && (inTable || DELIMITER_ROW.test(line));
    const words = withoutCode(line);
    bars += count(inTable ? line : words, /\|/g);
    brackets += count(words, /\]/g);
  }
  return { bars, brackets };
}

/** A line without the code in it. */
function withoutCode(line: string): string {
  const runs = [...line.matchAll(/`+/g)].map((run) => ({ at: run.index, size: run[0].length }));
  let out = '';
  let end = 0;
  for (let at = 0; at < runs.length; at++) {
    const open = runs[at] as Run;
    let close = at + 1;
    while (close < runs.length && runs[close]?.size !== open.size) close++;
    if (close === runs.length) continue;
    out += line.slice(end, open.at);
    end = (runs[close] as Run).at + open.size;
    at = close;
  }
  return out + line.slice(end);
}
type Run = { at: number; size: number };

/**
 * Refuses a text that is too large, or whose parts are so many that it would keep the parser busy for longer than any
 * page that people write. It looks at characters alone, so it takes a few milliseconds whatever the text is.
 */
export function checkCost(text: string, limits: Limits): void {
  if (text.length > limits.maxBytes || byteLength(text) > limits.maxBytes)
    throw new RichTextError('too_large', `The text is larger than ${limits.maxBytes} bytes.`);
  checkCharacters(text, limits);
  const cost =
    text.length +
    costOfLines(text) +
    MARKUP * count(text, MARKUP_CHARACTERS) +
    DEFINITION * count(text, DEFINITIONS) +
    FOOTNOTE * count(text, /\[\^/g);
  if (cost > limits.maxCost)
    throw new RichTextError('too_complex', 'The text has too many lines, list items, table rows or pieces of markup.');
}
