import { type Joins, type Line } from './lines.js';

/** A line of colons that begins or ends a container: the colons, the name, and what stands behind it. */
export const COLONS = /^[ \t]*(:{3,})[ \t]*(?:\{?[ \t]*([A-Za-z][\w-]*)[ \t]*\}?)?(.*)$/;

/**
 * What is open, the innermost last. Something that was not opened is known not to be there without a look at all of it.
 */
class Open<K> {
  private readonly stack: Array<{ at: number; key: K }> = [];
  private readonly counts = new Map<K, number>();

  begin(at: number, key: K): void {
    this.stack.push({ at, key });
    this.counts.set(key, (this.counts.get(key) ?? 0) + 1);
  }

  /** Where the innermost one with this key began. It is ended, and so are those in it. */
  endOf(key: K): number | undefined {
    return this.counts.has(key) ? this.endFirst((each) => each === key) : undefined;
  }

  /** The same for the innermost one whose key fits. */
  end(fits: (key: K) => boolean): number | undefined {
    return [...this.counts.keys()].some(fits) ? this.endFirst(fits) : undefined;
  }

  private endFirst(fits: (key: K) => boolean): number | undefined {
    for (let last = this.stack.pop(); last; last = this.stack.pop()) {
      const left = (this.counts.get(last.key) ?? 1) - 1;
      if (left > 0) this.counts.set(last.key, left);
      else this.counts.delete(last.key);
      if (fits(last.key)) return last.at;
    }
    return undefined;
  }
}

/** Where containers of colons and components end, by the lines on which they begin. */
export function endsIn(lines: readonly Line[]): Map<number, number> {
  const ends = new Map<number, number>();
  const [colons, tags] = [new Open<number>(), new Open<string>()];
  const end = (start: number | undefined, at: number): void => {
    if (start !== undefined) ends.set(start, at);
  };
  lines.forEach(({ text, isCode, tag }, at) => {
    if (tag?.isSelfClosing || isCode) return;
    if (tag?.isClosing) return end(tags.endOf(tag.name), at);
    if (tag) return tags.begin(at, tag.name);
    const [, marks = '', name = '', rest = ''] = COLONS.exec(text) ?? [];
    if (name !== '') colons.begin(at, marks.length);
    else if (marks !== '' && rest.trim() === '')
      end(
        colons.end((width) => width <= marks.length),
        at,
      );
  });
  return ends;
}

/** Lines in which tags without their other half stand as text where they stood. */
export function withoutHalves(lines: readonly Line[]): Line[] {
  const ends = endsIn(lines);
  const whole = new Set([...ends].flat());
  const out: Line[] = [];
  let space: string | undefined;
  for (const [at, line] of lines.entries()) {
    const { text, isCode, tag, joins } = line;
    const isHalf = tag !== undefined && !tag.isSelfClosing && !whole.has(at);
    const last = out[out.length - 1];
    const before = space ?? (isHalf && joins?.before === true ? '' : undefined);
    if (before !== undefined && last && !last.tag && (isHalf || !tag))
      out[out.length - 1] = { ...last, text: last.text + before + text.trimStart() };
    else out.push(isHalf ? { text, isCode } : line);
    space = isHalf ? spaceBehind(joins) : undefined;
  }
  return out;
}

/** The spaces between a tag and what goes on behind it on its line. */
const spaceBehind = (joins: Joins | undefined): string | undefined =>
  joins && !joins.behind.includes('\n') ? joins.behind : undefined;
