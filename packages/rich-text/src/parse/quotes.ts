import { block, orEmptyParagraph } from '../model/build.js';
import { type Block } from '../model/types.js';
import { type Md } from '../syntax/md.js';
import { type ParseContext } from './context.js';
import { inlines } from './inlines.js';

/** What alerts are called, by the style of the hint that they are. */
const ALERTS = new Map(
  Object.entries({
    info: 'NOTE IMPORTANT INFO ABSTRACT SUMMARY TLDR TODO QUESTION HELP FAQ EXAMPLE',
    success: 'TIP HINT SUCCESS CHECK DONE',
    warning: 'WARNING ATTENTION',
    danger: 'CAUTION DANGER ERROR FAILURE FAIL MISSING BUG',
  }).flatMap(([style, names]) => names.split(' ').map((name): [string, string] => [name, style])),
);

type Alert = { style: string; title: Md[]; rest: Md[] };

/** The style of a `[!NOTE]` quote, what stands behind the marker, and the lines below that; null for other quotes. */
function alertOf(ctx: ParseContext, first: Md | undefined): Alert | null {
  const [opening, ...following] = first?.type === 'paragraph' ? (first.children ?? []) : [];
  if (opening?.type !== 'text') return null;
  const value = opening.value ?? '';
  const marker = /^\[!([A-Za-z]+)\](?:[+-](?=[ \t\n]|$))?[ \t]*/.exec(value);
  const style = ALERTS.get(marker?.[1]?.toUpperCase() ?? '');
  // An escaped bracket reads the same in the tree, so the source decides.
  if (!marker || !style || !ctx.source.startsWith('[!', opening.position?.start.offset ?? 0)) return null;
  return { style, ...firstLine([{ ...opening, value: value.slice(marker[0].length) }, ...following]) };
}

/** What stands on the first line, and what stands below it. */
function firstLine(nodes: Md[]): { title: Md[]; rest: Md[] } {
  const at = nodes.findIndex(({ type, value = '' }) => type === 'break' || (type === 'text' && value.includes('\n')));
  const last = nodes[at];
  if (!last) return { title: nodes.filter(says), rest: [] };
  const [line = '', ...lines] = last.type === 'text' ? (last.value ?? '').split('\n') : [];
  const part = (value: string): Md => ({ ...last, type: 'text', value });
  return {
    title: [...nodes.slice(0, at), part(line)].filter(says),
    rest: [part(lines.join('\n')), ...nodes.slice(at + 1)].filter(says),
  };
}

const says = (node: Md): boolean => node.type !== 'text' || node.value !== '';

/** A quote, or the hint that an alert is. */
export function quote(ctx: ParseContext, node: Md): Block {
  const children = node.children ?? [];
  const alert = alertOf(ctx, children[0]);
  if (!alert) return block('blockquote', {}, orEmptyParagraph(ctx.blocks(children)));
  const title = alert.title.length > 0 ? [block('heading-2', {}, inlines(ctx, alert.title))] : [];
  const opened = alert.rest.length > 0 ? [{ type: 'paragraph', children: alert.rest }] : [];
  const body = ctx.blocks([...opened, ...children.slice(1)]);
  return block('hint', { style: alert.style }, orEmptyParagraph([...title, ...body]));
}
