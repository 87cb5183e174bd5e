import { callbacksOf, type Members } from '@scriptorium/openapi/shown';
import { classes, el, type HtmlNode } from '../html.js';

/** What the API sends for a request, and where: an expression finds the address in the request. */
export function callbackNodes(operation: Members): HtmlNode[] {
  const items = callbacksOf(operation).map(({ name, method, address, title }) =>
    el(
      'li',
      {},
      el('strong', {}, name),
      ': ',
      el('strong', classes('method'), method),
      ' ',
      el('code', {}, address),
      title === '' ? undefined : [' ', el('span', classes('type'), title)],
    ),
  );
  return items.length === 0 ? [] : [el('ul', {}, items)];
}
