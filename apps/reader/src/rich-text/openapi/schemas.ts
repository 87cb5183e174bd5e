import { lineOf } from '@scriptorium/openapi/shown';
import type { Block } from '@scriptorium/rich-text';
import { textIn } from '@scriptorium/rich-text/reading';
import { classes, el, type HtmlNode } from '../html.js';
import type { RenderContext, SchemaSource } from '../render-context.js';
import { givenIn } from './api-blocks.js';
import { nameOf } from './read-schema.js';
import { schemaNodes, treeOf } from './schema-tree.js';

const mostSchemas = 500;

/** Schemas of an API, each with an id that links lead to. */
export function schemas(ctx: RenderContext, { data }: Block): HtmlNode[] {
  const list = Array.isArray(data['schemas']) ? data['schemas'] : [];
  const names = list.filter((name) => typeof name === 'string').slice(0, mostSchemas);
  const source = givenIn(data)?.source;
  const title = textIn(data, 'title');
  return [
    el(
      'div',
      classes('card'),
      title === '' ? undefined : el('p', {}, el('strong', {}, title)),
      names.map((name) => el('div', classes('schema'), schemaNamed(ctx, source, name))),
    ),
  ];
}

function schemaNamed(ctx: RenderContext, source: SchemaSource | undefined, name: string): HtmlNode[] {
  if (source === undefined || !Object.hasOwn(source.schemas, name)) return [el('p', {}, el('code', {}, lineOf(name)))];
  const id = ctx.cards.idHere(source, name);
  const heading = el('p', { id, ...classes('schema-name') }, el('code', {}, nameOf({ name })));
  return [heading, ...schemaNodes(treeOf(ctx, source), source.schemas[name], [name])];
}

/** The schemas that the cards of a page lead to, and which nothing else shows. */
export function schemasBehind(ctx: RenderContext): HtmlNode[] {
  const shown: HtmlNode[] = [];
  for (let one = ctx.cards.next(); one !== undefined; one = ctx.cards.next())
    shown.push(el('div', classes('card', 'schema'), schemaNamed(ctx, one.source, one.name)));
  if (shown.length === 0) return [];
  const title = ctx.sayOfApi.schemas;
  return [el('section', { ariaLabel: title, ...classes('schemas') }, el('h2', {}, title), shown)];
}
