import { type Joins, type Line } from './lines.js';

/** A line of colons that begins or ends a container: the colons, the name, and what stands behind it. */
export const COLONS = /^[ \t]*(:{3,})[ \t]*(?:\{?[ \t]*([A-Za-z][\w-]*)[ \t]*\}?)?(.*)$/;

/** Where containers of colons and components end, by the lines on which they begin. */
export function endsIn(lines: readonly Line[]): Map<number, number> {
  const ends = new Map<number, number>();
  const colons: Array<{ at: number; width: number }> = [];
  const tags: Array<{ at: number; name: string }> = [];
  const end = (open: Array<{ at: number }>, index: number, at: number): void => {
    const begun = open[index];
    if (!begun) return;
    ends.set(begun.at, at);
    open.length = index;
  };
  const take = ({ text, isCode, tag }: Line, at: number): void => {
    if (tag) {
      if (tag.isSelfClosing) return;
      if (!tag.isClosing) return void tags.push({ at, name: tag.name });
      return end(
        tags,
        tags.findLastIndex(({ name }) => name === tag.name),
        at,
      );
    }
    const [, marks = '', name = '', rest = ''] = isCode ? [] : (COLONS.exec(text) ?? []);
    if (name !== '') colons.push({ at, width: marks.length });
    else if (marks !== '' && rest.trim() === '')
      end(
        colons,
        colons.findLastIndex(({ width }) => width <= marks.length),
        at,
      );
  };
  lines.forEach(take);
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
