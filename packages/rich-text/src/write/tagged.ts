import { type BlockType } from '../model/content.js';
import { isObject, isRef } from '../model/json.js';
import { type Block, type Data, type Json } from '../model/types.js';
import { propText } from '../parse/props.js';
import { type Md } from '../syntax/md.js';
import { attributes, attributeText } from './attributes.js';
import { captionOf, html, linkOf, optional, str, tag, type Write, type WriteContext } from './context.js';
import { phrasing } from './inlines.js';
import { lengthText } from './lengths.js';

const inside = (ctx: WriteContext, node: Block): Md[] => ctx.blocks(node.nodes ?? []);

/** Blocks that are written as tags, each part of one as tags of its own. */
export const TAGGED = {
  hint: (ctx, node) => {
    const { style, icon } = node.data;
    return pair('hint', attributes({ style: str(style) || 'info', icon }), inside(ctx, node));
  },
  tabs: (ctx, node) => whole('tabs', attributes({ fullWidth: node.data['fullWidth'] }), inside(ctx, node)),
  'tabs-item': (ctx, node) => {
    const { title, icon, slug } = node.data;
    return pair('tab', attributes({ title, icon, slug }), inside(ctx, node));
  },
  stepper: (ctx, node) => whole('stepper', '', inside(ctx, node)),
  'stepper-step': (ctx, node) => pair('step', attributes({ icon: node.data['icon'] }), inside(ctx, node)),
  columns: (ctx, node) => whole('columns', attributes({ fullWidth: node.data['fullWidth'] }), inside(ctx, node)),
  column: (ctx, node) => {
    const { width, verticalAlignment: valign } = node.data;
    return pair('column', attributes({ width: lengthText(width), valign }), inside(ctx, node));
  },
  updates: (ctx, node) => whole('updates', attributes({ format: node.data['format'] }), inside(ctx, node)),
  update: (ctx, node) =>
    pair('update', attributes({ date: node.data['date'], tags: tagNames(node.data) }), inside(ctx, node)),
  if: (ctx, node) => pair('if', condition(str(node.data['expression'])), inside(ctx, node)),
  file: (ctx, node) => around('file', attributes({ src: linkOf(ctx, node.data['ref']).url }), caption(ctx, node)),
  embed: (ctx, node) => {
    const { url, fullWidth } = node.data;
    return around('embed', attributes({ url, fullWidth }), caption(ctx, node));
  },
  drawing: (ctx, { data: { ref, alt } }) => {
    const src = isRef(ref) ? linkOf(ctx, ref).url : '';
    return [html(`<img${attributes({ src, alt: str(alt), class: 'gitbook-drawing' })}>`)];
  },
  'content-ref': (ctx, { data }) => {
    const { url, text } = linkOf(ctx, data['ref']);
    return around('content-ref', attributes({ url }), [label(optional(data['title']) ?? text ?? url, url)]);
  },
  'reusable-content': (ctx, { data }) => [
    tag(`{% include "${linkOf(ctx, data['ref']).url.replaceAll('"', '%22')}" %}`),
  ],
  integration: (ctx, { data }) => integration(ctx, data),
  swagger: (ctx, { data: { ref, path, method, expanded, fullWidth } }) => {
    const { url } = linkOf(ctx, ref);
    return around('openapi', attributes({ src: url, path, method, expanded, fullWidth }), [label(url, url)]);
  },
  'openapi-operation': (ctx, node) => {
    const { path, method, headless } = node.data;
    return openapi(ctx, node, { path, method, headless });
  },
  'openapi-schemas': (ctx, node) => {
    const { schemas, grouped, title } = node.data;
    return openapi(ctx, node, { schemas: names(schemas), grouped, title });
  },
  'openapi-webhook': (ctx, node) => {
    const { name, method, headless } = node.data;
    return openapi(ctx, node, { name, method, headless });
  },
} as const satisfies { readonly [type in BlockType]?: Write };

const pair = (name: string, rest: string, children: Md[]): Md[] => [
  tag(`{% ${name}${rest} %}`, 'open'),
  ...children,
  tag(`{% end${name} %}`, 'close'),
];
/** An empty whole would not be found again, and says nothing. */
const whole = (name: string, rest: string, children: Md[]): Md[] =>
  children.length > 0 ? pair(name, rest, children) : [];

/** The condition as it stands, unless it would end or break the tag. */
function condition(expression: string): string {
  const bare = expression.trim();
  const closed = bare.replace(/"[^"]*"|'[^']*'/g, '');
  const plain =
    bare !== '' &&
    !/["'\n]|%\}|\{%|^expression\s*=/.test(closed) &&
    !bare.includes('{%') &&
    !bare.includes('\\') &&
    bare === expression;
  return plain ? ` ${bare}` : ` expression="${attributeText(expression)}"`;
}

function tagNames(data: Data): string | undefined {
  const tags = Array.isArray(data['tags']) ? data['tags'] : [];
  const names = tags.flatMap((ref) => (isObject(ref) && typeof ref['tag'] === 'string' ? [ref['tag']] : []));
  return names.length > 0 ? names.join(',') : undefined;
}

function around(name: string, rest: string, inside: Md[]): Md[] {
  const open = `{% ${name}${rest} %}`;
  return inside.length > 0 ? [tag(open, 'open'), ...inside, tag(`{% end${name} %}`, 'close')] : [tag(open)];
}

function caption(ctx: WriteContext, node: Block): Md[] {
  const children = phrasing(ctx, captionOf(node));
  return children.length > 0 ? [{ type: 'paragraph', children }] : [];
}

const label = (text: string, url: string): Md => ({
  type: 'paragraph',
  children: [{ type: 'link', url, title: null, children: [{ type: 'text', value: text }] }],
});

const spec = (data: Data): Json | undefined => (isRef(data['ref']) ? data['ref']['spec'] : undefined);

/** A block of an OpenAPI document: which document, and what of it. */
function openapi(ctx: WriteContext, { type, data }: Block, own: Data): Md[] {
  return around(type, attributes({ spec: spec(data), ...own }), [source(ctx, data)]);
}

const names = (value: Json | undefined): string =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string').join(',') : '';
const source = (ctx: WriteContext, data: Data): Md => label(`OpenAPI ${str(spec(data))}`, linkOf(ctx, data['ref']).url);

function integration(ctx: WriteContext, data: Data): Md[] {
  const owner = str(data['integration']);
  const block = str(data['block']);
  const props = isObject(data['props']) ? data['props'] : {};
  const form = ctx.integrations.find((entry) => entry.integration === owner && entry.block === block);
  const body = form && props[form.body];
  const own = attributes({
    action: data['action'] === undefined ? undefined : propText(data['action']),
    url: data['url'],
    fullWidth: data['fullWidth'],
  });
  if (form && typeof body === 'string' && own === '') {
    const rest = Object.entries(props).filter(([name]) => name !== form.body);
    return [
      {
        type: 'code',
        lang: form.codeblock,
        meta: attributes(Object.fromEntries(texts(rest))).trim() || null,
        value: body,
      },
    ];
  }
  return [tag(`{% @${owner}/${block}${attributes(Object.fromEntries(texts(Object.entries(props))))}${own} %}`)];
}

const texts = (entries: Array<[string, Json | undefined]>): Array<[string, string]> =>
  entries.filter(([, value]) => value !== undefined).map(([name, value]) => [name, propText(value)]);
