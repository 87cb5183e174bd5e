import { isKnownComponent } from './families.js';
import { jsxTag, literal, type JsxTag } from './jsx-tag.js';
import { type Line } from './lines.js';

/** What is read: tags of known components, or all that MDX has. What is left out is named in `leftOut`. */
export type Reading = { isMdx: boolean; leftOut: Set<string> };

/**
 * The lines of text between code, with tags of components on lines of their own, and without the expressions of MDX.
 */
export function withoutExpressions(lines: readonly Line[], reading: Reading): Line[] {
  const out: Line[] = [];
  let text: string[] = [];
  const flush = (): void => {
    if (text.length > 0) for (const line of new Splitter(text.join('\n'), reading).split()) out.push(line);
    text = [];
  };
  for (const line of lines) {
    if (!line.isCode) text.push(line.text);
    else {
      flush();
      out.push(line);
    }
  }
  flush();
  return out;
}

const CODE = /`+/y;
/** Spaces behind a tag that is a line of its own. */
const MOST_SPACES = 100;
/** An id behind a heading, which is written as an expression. */
const HEADING_ID = /^ {0,3}#{1,6}[ \t][^\n]*$/;

class Splitter {
  private readonly lines: Line[] = [];
  private current = '';
  /** The first character of the line that is no space. */
  private lead = '';
  private readonly closings: ReadonlyMap<number, number>;

  constructor(
    private readonly source: string,
    private readonly reading: Reading,
  ) {
    this.closings = closingsIn(source);
  }

  split(): Line[] {
    const { source } = this;
    for (let at = 0; at < source.length;) {
      const character = source.charAt(at);
      const end =
        character === '<'
          ? this.tagAt(at)
          : character === '{' && this.reading.isMdx
            ? this.expressionAt(at)
            : undefined;
      const next = end ?? (character === '`' ? codeEnd(source, at) : character === '\\' ? at + 2 : at + 1);
      if (end === undefined) this.add(source.slice(at, next));
      at = next;
    }
    this.lines.push({ text: this.current, isCode: false });
    return this.lines;
  }

  private add(text: string): void {
    const [first = '', ...others] = text.split('\n');
    this.current += first;
    this.lead ||= first.trimStart().charAt(0);
    for (const line of others) {
      this.lines.push({ text: this.current, isCode: false });
      this.current = line;
      this.lead = line.trimStart().charAt(0);
    }
  }

  /** Takes a tag of a component, and gives the place behind it. */
  private tagAt(at: number): number | undefined {
    if (/[\w$]/.test(this.source.charAt(at - 1)) && this.source.charAt(at + 1) !== '/') return undefined;
    const tag = jsxTag(this.source, at, this.closings);
    if (!tag) return undefined;
    const isComponent = /^[A-Z]|\./.test(tag.name);
    if (!isComponent) return this.reading.isMdx ? this.elementAt(tag) : undefined;
    const isAlone = this.lead === '';
    if (!isKnownComponent(tag.name)) {
      const isLine = isAlone && /^[ \t]*(?:\n|$)/.test(this.source.slice(tag.end, tag.end + MOST_SPACES));
      if (!isLine && !this.reading.isMdx) return undefined;
      if (!isLine) {
        this.reading.leftOut.add(`<${tag.name}>`);
        return tag.end;
      }
    }
    // A row of a table is one line.
    if (this.lead === '|') return this.reading.isMdx ? tag.end : undefined;
    return this.ownLine(tag, at, isAlone);
  }

  private ownLine(tag: JsxTag, at: number, isAlone: boolean): number {
    const indent = /^[ \t]*/.exec(this.current)?.[0] ?? '';
    if (!isAlone) this.lines.push({ text: this.current, isCode: false });
    const raw = this.source.slice(at, tag.end).replace(/\s*\n\s*/g, ' ');
    const rest = /[ \t]*\n?/y;
    rest.lastIndex = tag.end;
    const space = rest.exec(this.source)?.[0] ?? '';
    const joins = { before: !isAlone, behind: space };
    this.lines.push({ text: (isAlone ? indent : '') + raw, isCode: false, tag, joins });
    this.current = space.endsWith('\n') ? '' : indent;
    this.lead = '';
    return tag.end + space.length;
  }

  /** An element whose attributes are no HTML is written with those that are texts. */
  private elementAt(tag: JsxTag): number | undefined {
    if (tag.name !== '' && !tag.isForeign) return undefined;
    const attributes = [...tag.attributes]
      .filter(([name]) => /^[A-Za-z][\w-]*$/.test(name))
      .map(([name, value]) => ` ${name === 'className' ? 'class' : name}="${value.replaceAll('"', '&quot;')}"`);
    if (tag.name !== '')
      this.add(`<${tag.isClosing ? '/' : ''}${tag.name}${attributes.join('')}${tag.isSelfClosing ? ' /' : ''}>`);
    return tag.end;
  }

  /** Leaves an expression out, but for a text, the id of a heading and what is a tag of this format. */
  private expressionAt(at: number): number | undefined {
    const end = this.closings.get(at);
    if (end === undefined || this.source.charAt(at + 1) === '%') return undefined;
    const inside = this.source.slice(at + 1, end);
    if (/^(?:#|\/\*\s*#)/.test(inside) && HEADING_ID.test(this.current)) return undefined;
    const isComment = /^\s*\/\*[^]*\*\/\s*$/.test(inside);
    const text = literal(inside);
    if (text !== undefined) this.add(text);
    else if (!isComment && inside.trim() !== '') this.reading.leftOut.add('{…}');
    return end + 1;
  }
}

/** Behind the code that begins with backticks at a place, or behind these where none ends it on the line. */
function codeEnd(source: string, at: number): number {
  CODE.lastIndex = at;
  const marks = CODE.exec(source)?.[0] ?? '';
  const line = source.indexOf('\n', at);
  const end = source.indexOf(marks, at + marks.length);
  return end < 0 || (line >= 0 && end > line) ? at + marks.length : end + marks.length;
}

/** Where braces end, by where they begin. Those in code are none. */
function closingsIn(source: string): Map<number, number> {
  const closings = new Map<number, number>();
  const open: number[] = [];
  for (let at = 0; at < source.length; at++) {
    const character = source.charAt(at);
    if (character === '`' && open.length === 0) at = codeEnd(source, at) - 1;
    else if (character === '\\') at++;
    else if (character === '{') open.push(at);
    else if (character === '}') {
      const start = open.pop();
      if (start !== undefined) closings.set(start, at);
    }
  }
  return closings;
}
