import { isObject, isRef } from '../model/json.js';
import { type Block, type Data, type Json } from '../model/types.js';
import { propText } from '../parse/props.js';
import { type Md } from '../syntax/md.js';
import { attributes } from './attributes.js';
import { captionOf, html, linkOf, optional, str, tag, type WriteContext } from './context.js';
import { phrasing } from './inlines.js';

/** Blocks without children of their own, written as one tag or as a tag around a caption. */
export function voidTag(ctx: WriteContext, node: Block): Md[] | null {
  const { data } = node;
  switch (node.type) {
    case 'file':
      return around('file', attributes({ src: linkOf(ctx, data['ref']).url }), caption(ctx, node));
    case 'embed':
      return around('embed', attributes({ url: data['url'], fullWidth: data['fullWidth'] }), caption(ctx, node));
    case 'drawing':
      return [
        html(
          `<img${attributes({ src: isRef(data['ref']) ? linkOf(ctx, data['ref']).url : '', alt: str(data['alt']), class: 'gitbook-drawing' })}>`,
        ),
      ];
    case 'content-ref':
      return contentRef(ctx, data);
    case 'reusable-content':
      return [tag(`{% include "${linkOf(ctx, data['ref']).url.replaceAll('"', '%22')}" %}`)];
    case 'integration':
      return integration(ctx, data);
    default:
      return openapi(ctx, node);
  }
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

function contentRef(ctx: WriteContext, data: Data): Md[] {
  const link = linkOf(ctx, data['ref']);
  return around('content-ref', attributes({ url: link.url }), [
    label(optional(data['title']) ?? link.text ?? link.url, link.url),
  ]);
}

const spec = (data: Data): Json | undefined => (isRef(data['ref']) ? data['ref']['spec'] : undefined);

function openapi(ctx: WriteContext, node: Block): Md[] | null {
  if (node.type === 'swagger') return swagger(ctx, node.data);
  const own = openapiAttributes(node);
  return own && around(node.type, attributes({ spec: spec(node.data), ...own }), [source(ctx, node.data)]);
}

function swagger(ctx: WriteContext, data: Data): Md[] {
  const { url } = linkOf(ctx, data['ref']);
  const { path, method, expanded, fullWidth } = data;
  return around('openapi', attributes({ src: url, path, method, expanded, fullWidth }), [label(url, url)]);
}

/** What a block of an OpenAPI document says besides which document it is; null for other blocks. */
function openapiAttributes({ type, data }: Block): Data | null {
  const { path, method, headless, grouped, title, name } = data;
  if (type === 'openapi-operation') return { path, method, headless };
  if (type === 'openapi-schemas') return { schemas: names(data['schemas']), grouped, title };
  return type === 'openapi-webhook' ? { name, method, headless } : null;
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
