import { entriesOf, lineOf, listOf, members, type CompleteOperation, type Members } from '@scriptorium/openapi/shown';
import type { Block } from '@scriptorium/rich-text';
import { dateText } from '../containers.js';
import { partOf, textIn } from '@scriptorium/rich-text/reading';
import { classes, el, type Child, type HtmlNode } from '../html.js';
import { titleIn } from '../inlines.js';
import type { RenderContext } from '../render-context.js';
import { filled } from '../../texts/texts.js';
import { givenIn, type Given } from './api-blocks.js';
import { authorization } from './authorization.js';
import { codeTabs } from './code-tabs.js';
import { samplesPart } from './code-of-operations.js';
import { callbackNodes } from './callbacks.js';
import { bodyNodes, fieldOf, responseNodes } from './contents.js';
import { described } from './described.js';
import { fieldList, treeOf } from './schema-tree.js';

/** An operation of an API: how it is called, and what it answers. */
export function operation(ctx: RenderContext, block: Block): HtmlNode[] {
  return [card(ctx, block, false)];
}

/** What an API sends to those who listen, and what it expects of them. */
export function webhook(ctx: RenderContext, block: Block): HtmlNode[] {
  return [card(ctx, block, true)];
}

/** Methods with a color of their own. */
const colored = ['get', 'put', 'post', 'delete', 'patch'];

function card(ctx: RenderContext, block: Block, isWebhook: boolean): HtmlNode {
  const { data } = block;
  const given = givenIn(data);
  const shown = given?.operation;
  const method = lineOf(shown?.method ?? textIn(data, 'method'));
  const path = lineOf(shown?.path ?? (textIn(data, 'path') || textIn(data, 'name')));
  const label = [isWebhook ? ctx.sayOfApi.webhook : '', method.toUpperCase(), path]
    .filter((part) => part !== '')
    .join(' ');
  const badge = el('strong', classes('method'), method.toUpperCase());
  const verb = colored.find((one) => one === method.toLowerCase());
  return el(
    'article',
    { ariaLabel: label, ...classes('card', 'operation') },
    el('p', classes('call', verb && `call-${verb}`), badge, ' ', isWebhook ? el('code', {}, path) : pathNode(path)),
    given === undefined || shown === undefined ? title(titleIn(data)) : inside(ctx, block, { given, shown, isWebhook }),
  );
}

function title(text: string): HtmlNode | undefined {
  return text === '' ? undefined : el('p', {}, el('strong', {}, text));
}

interface Shown {
  given: Given;
  shown: CompleteOperation;
  isWebhook: boolean;
}

function inside(ctx: RenderContext, block: Block, { given, shown, isWebhook }: Shown): Child[] {
  const own = shown.operation;
  const say = ctx.sayOfApi;
  const sent = treeOf(ctx, given.source, isWebhook ? 'response' : 'request');
  const answered = { ...sent, use: isWebhook ? ('request' as const) : ('response' as const) };
  const isHeadless = block.data['headless'] === true;
  return [
    state(ctx, own),
    isHeadless ? undefined : title(titleIn(block.data) || lineOf(own['summary'])),
    isHeadless ? undefined : described(ctx, own['description']),
    isWebhook ? undefined : part(ctx, say.baseUrl, () => servers(ctx, shown.servers)),
    isWebhook ? undefined : part(ctx, say.authorization, () => authorization(ctx, shown)),
    parameterParts(ctx, own, sent),
    part(ctx, members(own['requestBody'])['required'] === true ? say.requiredBody : say.body, () =>
      bodyNodes(sent, block, own['requestBody']),
    ),
    part(ctx, say.responses, () => responseNodes(answered, block, own['responses'])),
    part(ctx, say.callbacks, () => callbackNodes(own)),
    part(ctx, say.samples, () => codeTabs(ctx, say.sample, partOf(block, samplesPart))),
    given.isTruncated ? el('p', classes('constraints'), say.truncated) : undefined,
  ];
}

/** A part of a card under a heading of its own, when there is something in it. */
function part(ctx: RenderContext, name: string, make: () => HtmlNode[]): HtmlNode[] {
  const nodes = make();
  if (nodes.length === 0) return [];
  // The headings of a card stand one level below that of the page before it.
  return [el(`h${Math.min(6, ctx.level.last + 1)}`, classes('part'), name), ...nodes];
}

/** A path whose parameters are marked, and which may be broken before each of its parts. */
function pathNode(path: string): HtmlNode {
  const parts = path.split(/(\{[^{}]*\}|\/+)/).filter((text) => text !== '');
  return el(
    'code',
    {},
    parts.map((text, index): Child => {
      if (text.startsWith('/')) return index === 0 ? text : [el('wbr', {}), text];
      return text.startsWith('{') ? el('var', {}, text) : text;
    }),
  );
}

/** Whether one should still call it, or already. */
function state({ sayOfApi: say, locale }: RenderContext, own: Members): HtmlNode | undefined {
  const stability = lineOf(own['x-stability']);
  const sunset = lineOf(own['x-deprecated-sunset'] ?? own['x-sunset']);
  const ends =
    sunset === '' ? say.isDeprecated : filled(say.goesAway, { date: dateText(sunset, 'full', locale) ?? sunset });
  const isDeprecated = own['deprecated'] === true || sunset !== '';
  if (!isDeprecated && stability === '') return undefined;
  return el(
    'p',
    classes('state'),
    isDeprecated ? [el('span', classes('label', 'deprecated'), say.deprecated), ` ${ends} `] : undefined,
    stability === '' ? undefined : [el('span', classes('label', 'stability'), stability)],
  );
}

const mostServers = 20;

function servers(ctx: RenderContext, given: readonly unknown[]): HtmlNode[] {
  const items = given.slice(0, mostServers).flatMap((one) => {
    const server = members(one);
    const url = lineOf(server['url']);
    return url === '' ? [] : [el('li', {}, pathNode(url), about(server), variables(ctx, server))];
  });
  return items.length === 0 ? [] : [el('ul', classes('servers'), items)];
}

function about(server: Members): Child {
  const text = lineOf(server['description']);
  return text === '' ? undefined : [' ', el('span', classes('type'), text)];
}

function variables({ sayOfApi: say }: RenderContext, server: Members): Child {
  const items = entriesOf(server['variables']).map(([name, given]) => {
    const { enum: values, default: value } = members(given);
    const list = listOf(values).map(lineOf);
    const says = [
      list.length > 0 ? filled(say.serverOneOf, { values: list.slice(0, 20).join(', ') }) : '',
      lineOf(value) && filled(say.byDefault, { value: lineOf(value) }),
    ];
    return el('li', {}, el('var', {}, lineOf(name)), ': ', says.filter((text) => text !== '').join('; '));
  });
  return items.length === 0 ? undefined : el('ul', {}, items);
}

const places = [
  ['path', 'pathParameters'],
  ['query', 'queryParameters'],
  ['header', 'headerParameters'],
  ['cookie', 'cookieParameters'],
] as const;

function parameterParts(ctx: RenderContext, own: Members, tree: ReturnType<typeof treeOf>): HtmlNode[] {
  const parameters = listOf(own['parameters']).map(members);
  return places.flatMap(([place, name]) => {
    const fields = parameters.filter((parameter) => parameter['in'] === place).map(fieldOf);
    return part(ctx, ctx.sayOfApi[name], () => (fields.length === 0 ? [] : [fieldList(tree, fields)]));
  });
}
