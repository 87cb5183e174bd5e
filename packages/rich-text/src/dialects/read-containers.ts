import { cardTable, type Card } from './cards.js';
import {
  CARD,
  CARDS,
  componentAround,
  containerAround,
  expandable,
  hint,
  isKnownComponent,
  LONGEST_TITLE,
  styleOf,
  tab,
  tabs,
  type Around,
} from './families.js';
import { type JsxTag } from './jsx-tag.js';
import { dedented, indented, indentOf, isEmpty, textLine, type Line } from './lines.js';
import { LISTING, listing } from './listings.js';
import { COLONS, endsIn } from './pairs.js';
import { type Reading } from './split-tags.js';

/** Containers within each other that are read; deeper ones stay as they are. */
const MAX_DEPTH = 20;
/** A container of MkDocs: how it is shown, its kind, and its title. */
const MARKED = /^[ \t]*(!!!|\?\?\?\+?|===[!+]?)[ \t]+(?:([A-Za-z][\w-]*)[^"\n]*?)?(?:"([^"\n]*)")?[ \t]*$/;
const MARKED_INDENT = 4;

const markedIn = (text: string): RegExpExecArray | null => (text.length > LONGEST_TITLE ? null : MARKED.exec(text));

/** Lines in which containers of other products are tags of this format. */
export function readContainers(lines: readonly Line[], reading: Reading, depth = 0): Line[] {
  if (depth > MAX_DEPTH) return [...lines];
  return new Containers(lines, reading, depth).read();
}

class Containers {
  private readonly out: Line[] = [];
  private readonly ends: ReadonlyMap<number, number>;
  private at = 0;

  constructor(
    private readonly lines: readonly Line[],
    private readonly reading: Reading,
    private readonly depth: number,
  ) {
    this.ends = endsIn(lines);
  }

  read(): Line[] {
    while (this.at < this.lines.length) {
      const line = this.lines[this.at] as Line;
      const isRead = !line.isCode && (line.tag ? this.component(line) : this.colons(line) || this.marked(line));
      if (!isRead) {
        this.out.push(line);
        this.at++;
      }
    }
    return this.out;
  }

  /** What stands between two lines, read; on the level of the first of them. */
  private inside(from: number, to: number, indent: string): Line[] {
    const inner = readContainers(dedented(this.lines.slice(from, to)), this.reading, this.depth + 1);
    return indented(inner, indent);
  }

  private put({ open, close }: Around, inside: readonly Line[], indent: string): void {
    this.out.push(textLine(indent + open));
    for (const line of inside) this.out.push(line);
    this.out.push(textLine(indent + close), textLine(''));
  }

  /** What a container that is nothing here holds, below its title. */
  private content(inside: readonly Line[], indent: string, title: string): void {
    const above = title.trim() === '' ? [] : [textLine(indent + title.trim().replace(/\s*\n\s*/g, ' ')), textLine('')];
    for (const line of [textLine(''), ...above, ...inside, textLine('')]) this.out.push(line);
  }

  private component({ text, tag }: Line): boolean {
    if (!tag) return false;
    const indent = /^[ \t]*/.exec(text)?.[0] ?? '';
    const end = tag.isSelfClosing ? this.at : this.ends.get(this.at);
    if (end === undefined) {
      // Of a component without its other half nothing is left in MDX, and else it is text.
      if (!this.reading.isMdx) return false;
      if (!tag.isClosing) this.reading.leftOut.add(`<${tag.name}>`);
      this.at++;
      return true;
    }
    if (!isKnownComponent(tag.name)) this.reading.leftOut.add(`<${tag.name}>`);
    if (CARDS.has(tag.name) || tag.name === CARD) this.cards(end, indent);
    else {
      const inner = tag.isSelfClosing ? [] : this.inside(this.at + 1, end, indent);
      this.holding(tag, inner, indent);
    }
    this.at = end + 1;
    return true;
  }

  private holding({ name, attributes }: JsxTag, inner: readonly Line[], indent: string): void {
    const around = componentAround(name, attributes);
    if (around) this.put(around, inner, indent);
    else if (name === LISTING) for (const line of listing(attributes, inner, indent)) this.out.push(line);
    else this.content(inner, indent, attributes.get('title') ?? attributes.get('caption') ?? '');
  }

  /** Cards as a table of such; what stands between them follows. */
  private cards(end: number, indent: string): void {
    const cards: Card[] = [];
    const others: Line[] = [];
    const isGroup = this.lines[this.at]?.tag?.name !== CARD;
    for (let at = isGroup ? this.at + 1 : this.at; at < (isGroup ? end : end + 1); at++) {
      const { tag } = this.lines[at] as Line;
      const last = tag?.isSelfClosing ? at : this.ends.get(at);
      if (tag?.name === CARD && !tag.isClosing && last !== undefined) {
        cards.push({ attributes: tag.attributes, lines: this.inside(at + 1, Math.max(last, at + 1), '') });
        at = last;
      } else others.push(this.lines[at] as Line);
    }
    const rest = readContainers(dedented(others), this.reading, this.depth + 1);
    for (const line of indented([...cardTable(cards), ...rest], indent)) this.out.push(line);
  }

  private colons({ text }: Line): boolean {
    const [, , name = '', rest = ''] = COLONS.exec(text) ?? [];
    const end = this.ends.get(this.at);
    if (name === '' || end === undefined) return false;
    const indent = /^[ \t]*/.exec(text)?.[0] ?? '';
    const around = containerAround(name, titleIn(rest));
    const inner = this.inside(this.at + 1, end, indent);
    if (around) this.put(around, inner, indent);
    else {
      this.reading.leftOut.add(`:::${name}`);
      this.content(inner, indent, titleIn(rest));
    }
    this.at = end + 1;
    return true;
  }

  private marked({ text }: Line): boolean {
    const [, marker = '', kind = '', title] = markedIn(text) ?? [];
    const isTab = marker.startsWith('===');
    if (marker === '' || (isTab ? title === undefined : kind === '')) return false;
    const indent = /^[ \t]*/.exec(text)?.[0] ?? '';
    const end = this.endOfIndented(this.at);
    if (end === this.at + 1) return false;
    if (isTab) this.tabGroup(indent);
    else {
      this.put(markedAround(marker, kind, title), this.inside(this.at + 1, end, indent), indent);
      this.at = end;
    }
    return true;
  }

  /** Tabs that follow each other. */
  private tabGroup(indent: string): void {
    const { open, close } = tabs();
    this.out.push(textLine(indent + open));
    for (let isFirst = true; ; isFirst = false) {
      let at = this.at;
      while (at < this.lines.length && isEmpty(this.lines[at] as Line)) at++;
      const { text = '', isCode = true } = this.lines[at] ?? {};
      const [, marker = '', , title] = markedIn(text) ?? [];
      const isTab = !isCode && marker.startsWith('===') && title !== undefined && indentOf(text) === indentOf(indent);
      if (!isTab || (!isFirst && marker === '===!')) break;
      const end = this.endOfIndented(at);
      this.put(tab(title), this.inside(at + 1, end, indent), indent);
      this.at = end;
    }
    this.out.push(textLine(indent + close), textLine(''));
  }

  /** The place behind what is indented below a line. */
  private endOfIndented(start: number): number {
    const least = indentOf(this.lines[start]?.text ?? '') + MARKED_INDENT;
    let end = start + 1;
    for (let at = end; at < this.lines.length; at++) {
      const line = this.lines[at] as Line;
      if (isEmpty(line)) continue;
      if (indentOf(line.text) < least) break;
      end = at + 1;
    }
    return end;
  }
}

function markedAround(marker: string, kind: string, title: string | undefined): Around {
  const shown = title ?? `${kind.charAt(0).toUpperCase()}${kind.slice(1)}`;
  return marker === '!!!' ? hint(styleOf(kind) ?? 'info', title) : expandable(shown, marker === '???+');
}

/** The title behind the name of a container: as it stands, in brackets, or as an attribute. */
function titleIn(rest: string): string {
  if (rest.length > LONGEST_TITLE) return rest.trim();
  const label = /^\[([^\n]*)\]/.exec(rest)?.[1];
  const attribute = /\btitle\s*=\s*(?:"([^"]*)"|'([^']*)')/.exec(rest);
  return (
    label ??
    attribute?.[1] ??
    attribute?.[2] ??
    (rest.trim().startsWith('{') ? '' : rest.trim().replace(/\s*\{[^{}]*\}$/, ''))
  );
}
