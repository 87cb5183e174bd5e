import type { Block } from '@scriptorium/rich-text';
import { filled } from '../texts/texts.js';
import { blocksIn, isObject, oneOf, partOf, textIn } from '@scriptorium/rich-text/reading';
import { classes, el, type Child, type HtmlNode } from './html.js';
import { icon } from './icons.js';
import type { RenderContext } from './render-context.js';

const hintNames = { info: 'note', success: 'success', warning: 'warning', danger: 'danger' } as const;

const hintIcons = {
  info: 'info',
  success: 'circle-check',
  warning: 'triangle-alert',
  danger: 'octagon-alert',
} as const;

export function hint(ctx: RenderContext, node: Block): HtmlNode[] {
  const style = oneOf(node.data, 'style', ['info', 'success', 'warning', 'danger']) ?? 'info';
  return [
    el(
      'div',
      { role: 'note', ariaLabel: ctx.say[hintNames[style]], ...classes('hint', style) },
      icon(hintIcons[style]),
      el('div', {}, ctx.blocks(node.nodes ?? [])),
    ),
  ];
}

export function tabs(ctx: RenderContext, node: Block): HtmlNode[] {
  const parts = blocksIn(node, 'tabs-item').map((part, index) => ({
    title: textIn(part.data, 'title') || filled(ctx.say.tab, { number: index + 1 }),
    body: () => ctx.blocks(part.nodes ?? []),
  }));
  const names = ['tabs', node.data['fullWidth'] === true && 'full-width'];
  return radioTabs(ctx, { names, legend: el('legend', classes('unseen'), ctx.say.tabs) }, parts);
}

/** Tabs without a script: one of several radio buttons is set, and the part behind it is shown. */
export function radioTabs(
  ctx: Pick<RenderContext, 'next'>,
  { names, legend }: { names: (string | false)[]; legend: HtmlNode },
  parts: readonly { title: Child; body: () => Child }[],
): HtmlNode[] {
  if (parts.length === 0) return [];
  const group = `tabs-${ctx.next()}`;
  const items = parts.flatMap(({ title, body }, index) => {
    const id = `${group}-${index + 1}`;
    return [
      el('input', { type: 'radio', name: group, id, checked: index === 0 }),
      el('label', { htmlFor: id }, title),
      el('div', classes('tab'), body()),
    ];
  });
  return [el('fieldset', classes(...names), legend, items)];
}

export function stepper(ctx: RenderContext, node: Block): HtmlNode[] {
  const steps = blocksIn(node, 'stepper-step').map((step) => el('li', {}, ctx.blocks(step.nodes ?? [])));
  return steps.length === 0 ? [] : [el('ol', classes('steps'), steps)];
}

export function columns(ctx: RenderContext, node: Block): HtmlNode[] {
  const parts = blocksIn(node, 'column').map((column) => {
    const valign = oneOf(column.data, 'verticalAlignment', ['middle', 'bottom', 'top']);
    return el('div', classes('column', widthOf(column), valign && `valign-${valign}`), ctx.blocks(column.nodes ?? []));
  });
  return [el('div', classes('columns', node.data['fullWidth'] === true && 'full-width'), parts)];
}

/** The class of the width of a column: parts of the whole in steps of five percent. */
function widthOf({ data: { width } }: Block): string | undefined {
  if (!isObject(width) || width['unit'] !== '%' || typeof width['value'] !== 'number') return undefined;
  const step = Math.round(width['value'] / 5) * 5;
  return step >= 5 && step <= 100 ? `width-${step}` : undefined;
}

export function expandable(ctx: RenderContext, node: Block): HtmlNode[] {
  const title = ctx.inlines(partOf(node, 'expandable-title'));
  const open = node.data['defaultExpanded'] === true;
  const summary = el('summary', {}, title.length === 0 ? ctx.say.details : title);
  return [
    el(
      'details',
      { open, ...classes('expandable') },
      summary,
      el('div', {}, ctx.blocks(partOf(node, 'expandable-body'))),
    ),
  ];
}

/** News with their dates, as an author has put them in order. */
export function updates(ctx: RenderContext, node: Block): HtmlNode[] {
  const format = oneOf(node.data, 'format', ['numeric', 'full', 'short']) ?? 'full';
  return blocksIn(node, 'update').map((update) => {
    const date = textIn(update.data, 'date');
    const shown = dateText(date, format, ctx.locale);
    const time = shown === undefined ? undefined : el('time', { dateTime: date }, shown);
    return el('section', classes('update'), time, el('div', {}, ctx.blocks(update.nodes ?? [])));
  });
}

const dateStyles = { numeric: 'short', short: 'medium', full: 'long' } as const;

/** A day as people read it; `undefined` for what is none. */
export function dateText(date: string, format: keyof typeof dateStyles, locale = 'en'): string | undefined {
  const day = new Date(date);
  if (date === '' || Number.isNaN(day.getTime())) return undefined;
  return new Intl.DateTimeFormat(locale, { dateStyle: dateStyles[format], timeZone: 'UTC' }).format(day);
}
