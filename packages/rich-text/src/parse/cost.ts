import { RichTextError } from '../model/errors.js';
import { type Limits } from '../model/limits.js';

/** What parsing costs, about microseconds: measured on texts of nothing but the one thing, and rounded up. */
const LINE = 35;
const LIST_ITEM = 100;
const TABLE_ROW = 150;
const OPEN_CONTAINER = 3;
const MARKUP = 10;

/** Characters that each make the parser try something. Emphasis and brackets have budgets of their own. */
const MARKUP_CHARACTERS = /[`\\<&[]|\{%|\$\$/g;
const CONTAINERS = /^(?:[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])(?![^ \t])))+/;
const LIST_MARKER = /[-*+.)]/;
const DELIMITER_ROW = /^[ \t>|:-]*-[ \t:]*\|/;

function count(text: string, pattern: RegExp): number {
  let found = 0;
  pattern.lastIndex = 0;
  while (pattern.test(text)) found++;
  return found;
}

/** The cost of lines: of each, of each item and row that begins there, and of the containers a line is read on in. */
function costOfLines(text: string): number {
  let cost = 0;
  let inTable = false;
  let open = 0;
  for (const line of text.split(/\r\n?|\n/)) {
    cost += LINE;
    if (line.trim() === '') {
      inTable = false;
      open = 0;
      continue;
    }
    const [markers = ''] = CONTAINERS.exec(line) ?? [];
    if (LIST_MARKER.test(markers)) cost += LIST_ITEM;
    open = Math.max(open, markers.replace(/[ \t]/g, '').length);
    cost += OPEN_CONTAINER * open;
    if (inTable) cost += TABLE_ROW;
    else inTable = DELIMITER_ROW.test(line);
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

/**
 * Refuses a text that is too large, or whose parts are so many that it would keep the parser busy for longer than any page
 * that people write. It looks at characters alone, so it takes a few milliseconds whatever the text is.
 */
export function checkCost(text: string, limits: Limits): void {
  if (text.length > limits.maxBytes || byteLength(text) > limits.maxBytes) throw new RichTextError('too_large', `The text is larger than ${limits.maxBytes} bytes.`);
  if (count(text, /\|/g) > limits.maxWork / 2) throw new RichTextError('too_complex', 'The text has too many table cells.');
  const cost = text.length + costOfLines(text) + MARKUP * count(text, MARKUP_CHARACTERS);
  if (cost > limits.maxCost) throw new RichTextError('too_complex', 'The text has too many lines, list items, table rows or pieces of markup.');
}
