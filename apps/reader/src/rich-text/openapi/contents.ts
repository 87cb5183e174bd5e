import { entriesOf, externalExamplesOf, isOfWeb, lineOf, members } from '@scriptorium/openapi/shown';
import type { Block } from '@scriptorium/rich-text';
import { radioTabs } from '../containers.js';
import { partOf } from '@scriptorium/rich-text/reading';
import { classes, el, type HtmlNode } from '../html.js';
import { link } from '../inlines.js';
import { codeTabs } from './code-tabs.js';
import { examplesPart } from './code-of-operations.js';
import { filled } from '../../texts/texts.js';
import { isShort, described } from './described.js';
import { fieldList, schemaNodes, type Field, type Tree } from './schema-tree.js';

const most = { types: 20, responses: 50 };

/** A body by its media types, each with its schema and examples. */
function contentNodes(tree: Tree, block: Block, place: string, holder: unknown): HtmlNode[] {
  const contents = entriesOf(members(holder)['content']).slice(0, most.types);
  const parts = contents.map(([type, media]) => ({
    title: lineOf(type),
    body: () => [
      ...(members(media)['schema'] === undefined ? [] : schemaNodes(tree, members(media)['schema'])),
      ...codeTabs(tree.ctx, tree.ctx.sayOfApi.example, partOf(block, examplesPart(place, type))),
      ...externalExamples(tree, media),
    ],
  }));
  const [only] = parts;
  if (only === undefined) return [];
  const legend = el('legend', {}, tree.ctx.sayOfApi.mediaType);
  if (parts.length > 1) return radioTabs(tree.ctx, { names: ['tabs'], legend }, parts);
  return [el('p', classes('media'), el('code', {}, only.title)), ...only.body()];
}

/** Examples that stand elsewhere are links, as far as their addresses are whole. */
function externalExamples({ ctx }: Tree, media: unknown): HtmlNode[] {
  const examples = externalExamplesOf(media).map(({ title, url }) => {
    if (!isOfWeb(url)) return el('li', {}, title, ': ', el('code', {}, lineOf(url)));
    return el('li', {}, link(ctx, { href: url, isExternal: true }, [{ type: 'text', value: title }]));
  });
  return examples.length === 0 ? [] : [el('p', {}, ctx.sayOfApi.examplesElsewhere), el('ul', {}, examples)];
}

export function bodyNodes(tree: Tree, block: Block, given: unknown): HtmlNode[] {
  const body = members(given);
  return [...described(tree.ctx, body['description']), ...contentNodes(tree, block, 'request', body)];
}

/** Answers by their status; those of success are open. */
export function responseNodes(tree: Tree, block: Block, given: unknown): HtmlNode[] {
  const responses = entriesOf(given).slice(0, most.responses);
  return responses.map(([status, answer]) => responseNode(tree, block, status, answer));
}

function responseNode(tree: Tree, block: Block, status: string, answer: unknown): HtmlNode {
  const { description, headers } = members(answer);
  const isLine = isShort(description);
  const name = el('strong', classes('status', /^[1-5]/.test(status) && `status-${status.charAt(0)}`), lineOf(status));
  const head = [name, ' ', isLine ? lineOf(description) : firstWords(description)];
  const about = isLine ? [] : described(tree.ctx, description);
  const below = [...about, ...headerNodes(tree, headers), ...contentNodes(tree, block, status, answer)];
  if (below.length === 0) return el('p', classes('response'), head);
  const open = /^2/.test(status);
  return el('details', { open, ...classes('response') }, el('summary', {}, head), el('div', {}, below));
}

/** What a long description begins with, without its markup. */
function firstWords(description: unknown): string {
  const line = lineOf(description).replace(/[*_`#[\]<>]/g, '');
  return line.length > 80 ? `${line.slice(0, 80).replace(/\S*$/, '').trimEnd()} …` : line;
}

function headerNodes(tree: Tree, given: unknown): HtmlNode[] {
  const headers = entriesOf(given).map(([name, header]): Field => ({ ...fieldOf(members(header)), name }));
  if (headers.length === 0) return [];
  const say = tree.ctx.sayOfApi;
  return [
    el(
      'details',
      {},
      el('summary', {}, headers.length === 1 ? say.oneHeader : filled(say.manyHeaders, { count: headers.length })),
      fieldList(tree, headers),
    ),
  ];
}

/** What a parameter or header says of its value. */
export function fieldOf(given: Readonly<Record<string, unknown>>): Field {
  const { name, required, deprecated, description, example, examples, schema, content } = given;
  const [, media] = entriesOf(content)[0] ?? [];
  const [, named] = entriesOf(examples)[0] ?? [];
  const shown = example ?? members(named)['value'];
  return {
    name: lineOf(name),
    schema: schema ?? members(media)['schema'] ?? {},
    isRequired: required === true,
    isDeprecated: deprecated === true,
    ...(description !== undefined && { description }),
    ...(shown !== undefined && { example: shown }),
  };
}
