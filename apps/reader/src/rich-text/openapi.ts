import type { Block } from '@scriptorium/rich-text';
import { isObject, textIn } from './data.js';
import { classes, el, type HtmlNode } from './html.js';
import { titleIn } from './inlines.js';
import type { RenderContext } from './render-context.js';

/** An operation of an API: its method and path, and what the service says of it. */
export function operation(_ctx: RenderContext, { data }: Block): HtmlNode[] {
  return shown(textIn(data, 'method'), textIn(data, 'path'), describe(data));
}

export function webhook(_ctx: RenderContext, { data }: Block): HtmlNode[] {
  return shown(textIn(data, 'method'), textIn(data, 'name'), describe(data));
}

export function schemas(_ctx: RenderContext, { data }: Block): HtmlNode[] {
  const names = Array.isArray(data['schemas']) ? data['schemas'].filter((name) => typeof name === 'string') : [];
  const list = names.map((name) => el('li', {}, el('code', {}, name)));
  const title = textIn(data, 'title');
  return [
    el(
      'div',
      classes('card'),
      title === '' ? undefined : el('p', {}, title),
      list.length === 0 ? undefined : el('ul', {}, list),
    ),
  ];
}

function describe(data: Block['data']): string {
  const resolved = data['resolved'];
  return titleIn(data) || (isObject(resolved) ? textIn(resolved, 'summary') : '');
}

function shown(method: string, path: string, summary: string): HtmlNode[] {
  const verb = el('strong', classes('method'), method.toUpperCase());
  return [
    el(
      'div',
      classes('card'),
      el('p', {}, verb, ' ', el('code', {}, path)),
      summary === '' ? undefined : el('p', {}, summary),
    ),
  ];
}
