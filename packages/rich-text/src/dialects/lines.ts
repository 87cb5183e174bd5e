import { type JsxTag } from './jsx-tag.js';

/**
 * A line of a text. `isCode`: it is code, or the fence around it. `fence`: it begins or ends code. `tag`: it is nothing
 * but that tag.
 */
export type Line = { text: string; isCode: boolean; fence?: 'start' | 'end'; tag?: JsxTag; joins?: Joins };
/** Whether the tag stood on one line with what is before and behind it. */
export type Joins = { before: boolean; behind: string };

const FENCE = /^[\s>]*(?:(?:[-*+]|\d{1,9}[.)])\s+)*(`{3,}|~{3,})([^\n]*)$/;
/** Lines that what is indented below belongs to. */
const HOLDS = /^\s*(?:(?:[-*+]|\d{1,9}[.)])\s|!!!|\?\?\?|===|<[A-Z]|\[\^)/;
const CODE_INDENT = 4;

export const indentOf = (text: string): number => /^[ \t]*/.exec(text)?.[0].replaceAll('\t', '    ').length ?? 0;
export const isEmpty = ({ text, tag }: Line): boolean => !tag && text.trim() === '';

/** The lines of a text, with those that are code known. `hasIndented`: lines of four spaces can be code, too. */
export function linesOf(text: string, hasIndented: boolean): Line[] {
  const code = new CodeLines(hasIndented);
  return text.split(/\r\n?|\n/).map((line) => {
    const wasOpen = code.isOpen;
    const isCode = code.has(line);
    return { text: line, isCode, ...(code.isOpen !== wasOpen && { fence: wasOpen ? 'end' : 'start' }) };
  });
}

/** Tells of one line after the other whether it is code. */
class CodeLines {
  private fence = '';
  /** Whether the last line of little indentation holds what is indented below it. */
  private holds = false;
  private wasCode = false;
  private wasEmpty = true;

  constructor(private readonly hasIndented: boolean) {}

  get isOpen(): boolean {
    return this.fence !== '';
  }

  has(line: string): boolean {
    const isCode = this.isFenced(line) || this.isIndented(line);
    this.wasCode = isCode;
    this.wasEmpty = line.trim() === '';
    if (!isCode && !this.wasEmpty && indentOf(line) < CODE_INDENT) this.holds = HOLDS.test(line);
    return isCode;
  }

  private isFenced(line: string): boolean {
    const [, marks = '', info = ''] = FENCE.exec(line) ?? [];
    const wasOpen = this.fence !== '';
    if (marks === '') return wasOpen;
    if (wasOpen) {
      if (marks.startsWith(this.fence) && info.trim() === '') this.fence = '';
      return true;
    }
    const isFence = marks.startsWith('~') || !info.includes('`');
    if (isFence) this.fence = marks;
    return isFence;
  }

  private isIndented(line: string): boolean {
    const canBegin = this.hasIndented && !this.holds && (this.wasCode || this.wasEmpty);
    return canBegin && line.trim() !== '' && indentOf(line) >= CODE_INDENT;
  }
}

/** The lines without the indentation that all of them have, and at most `most` columns of it. */
export function dedented(lines: readonly Line[], most = Infinity): Line[] {
  const indents = lines.filter((line) => !isEmpty(line)).map(({ text }) => indentOf(text));
  const width = Math.min(most, ...indents);
  return width === 0 || width === Infinity
    ? [...lines]
    : lines.map((line) => ({ ...line, text: withoutIndent(line.text, width) }));
}

function withoutIndent(text: string, width: number): string {
  let at = 0;
  for (let column = 0; column < width && /[ \t]/.test(text.charAt(at)); at++)
    column += text.charAt(at) === '\t' ? 4 : 1;
  return text.slice(at);
}

export const indented = (lines: readonly Line[], indent: string): Line[] =>
  indent === '' ? [...lines] : lines.map((line) => (isEmpty(line) ? line : { ...line, text: indent + line.text }));

export const textLine = (text: string): Line => ({ text, isCode: false });
