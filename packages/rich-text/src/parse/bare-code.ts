import { DEFINITIONS, type Md } from '../syntax/md.js';
import { type ParseContext } from './context.js';

/** What markdown puts before the lines of a quote or an item, as it stands before the first of them. */
const MARKERS = /^(?:[ \t>]|[-*+] |\d{1,9}[.)] )*/;

/** True for code that says itself where it begins, and for a note, which is read where it is referred to. */
function isMarked(ctx: ParseContext, { type, name, value = '', position, children = [] }: Md): boolean {
  if (type === 'code') return '`~'.includes(ctx.source.charAt(position?.start.offset ?? 0));
  if (type === 'html') return /<pre\b/i.test(value);
  return name === 'pre' || type === 'footnoteDefinition' || children.some((child) => isMarked(ctx, child));
}

/** The lines without what the quotes and items around them put before each. */
function unmarked(lines: string[], markers: string): string[] {
  const prefix = new RegExp(`^${[...markers].map((each) => (each === '>' ? '>?' : '[ \\t]?')).join('')}`);
  return lines.map((line, index) => (index === 0 ? line : line.replace(prefix, '')));
}

/** The source between a tag and its end, as code; null where code of its own stands there, or nothing. */
export function bareCode(ctx: ParseContext, node: Md): string[] | null {
  const children = (node.children ?? []).filter((child) => !DEFINITIONS.has(child.type));
  const { inner } = node;
  if (
    !inner ||
    children.every(({ type }) => type === 'code') ||
    (node.children ?? []).some((child) => isMarked(ctx, child))
  )
    return null;
  const written = ctx.source.slice(inner.start, inner.end).split(/\r\n?|\n/);
  if (written.length === 1) return [written.join('').trim()];
  const lineStart =
    Math.max(ctx.source.lastIndexOf('\n', inner.start - 1), ctx.source.lastIndexOf('\r', inner.start - 1)) + 1;
  const [markers = ''] = MARKERS.exec(ctx.source.slice(lineStart, inner.start)) ?? [];
  const lines = unmarked(written, markers);
  const said = lines.map((line) => line.trim() !== '');
  return lines.slice(said.indexOf(true), said.lastIndexOf(true) + 1);
}
