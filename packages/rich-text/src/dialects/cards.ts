import { escaped } from './html.js';
import { textLine, type Line } from './lines.js';

export type Card = { attributes: ReadonlyMap<string, string>; lines: Line[] };

/** Cards as the table that they are here. */
export function cardTable(cards: readonly Card[]): Line[] {
  if (cards.length === 0) return [];
  const leads = cards.some(({ attributes }) => attributes.has('href') || attributes.has('to'));
  const target = leads ? '<th data-hidden data-card-target data-type="content-ref">Target</th>' : '';
  const rows = cards.flatMap(({ attributes, lines }) => {
    const href = escaped(attributes.get('href') ?? attributes.get('to') ?? '');
    const title = escaped(attributes.get('title') ?? '');
    const link = leads ? `<td>${href === '' ? '' : `<a href="${href}">${title || href}</a>`}</td>` : '';
    return [
      textLine(`<tr><td>${title === '' ? '' : `<strong>${title}</strong>`}</td><td>`),
      textLine(''),
      ...lines,
      textLine(''),
      textLine(`</td>${link}</tr>`),
    ];
  });
  return [
    textLine(''),
    textLine(`<table data-view="cards"><thead><tr><th></th><th></th>${target}</tr></thead><tbody>`),
    ...rows,
    textLine('</tbody></table>'),
    textLine(''),
  ];
}
