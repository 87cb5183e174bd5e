import { block, compact, orEmptyParagraph, fragment, voidBlock } from '../model/build.js';
import { type Block, type Data, type Json } from '../model/types.js';
import { mdText, type Attributes, type Md } from '../syntax/md.js';
import { unbroken } from '../syntax/spaces.js';
import { bareCode } from './bare-code.js';
import { codeBlock, codeOptions } from './code.js';
import { refOf, type ParseContext } from './context.js';
import { expandable } from './element-blocks.js';
import { lineOf } from './elements.js';
import { length } from './images.js';
import { plainInlines, textOf, titleOf } from './inlines.js';
import { legacySwagger } from './legacy-swagger.js';
import { attributeData, propValue } from './props.js';

type Convert = (ctx: ParseContext, node: Md, attributes: Attributes) => Block[];

const flag = (value: string | undefined): boolean | undefined => (value === 'true' ? true : value === 'false' ? false : undefined);
const yes = (value: string | undefined): true | undefined => (value === 'true' ? true : undefined);
const inside = (ctx: ParseContext, node: Md): Block[] => orEmptyParagraph(ctx.blocks(node.children ?? []));

/** What stands inside, under the title of the tag where its block has no place for one. */
function titled(ctx: ParseContext, node: Md): Block[] {
  const title = node.attributes?.['title'];
  return title ? [block('heading-2', {}, plainInlines(ctx, title)), ...ctx.blocks(node.children ?? [])] : inside(ctx, node);
}

const STYLES = new Set(['info', 'warning', 'danger', 'success']);
const LEGACY_STYLES: ReadonlyMap<string, string> = new Map([['tip', 'success'], ['note', 'info'], ['working', 'warning']]);

const CONVERT: { [name: string]: Convert } = {
  hint: (ctx, node, { style = 'info', icon }) => [
    block('hint', compact({ style: STYLES.has(style) ? style : (LEGACY_STYLES.get(style) ?? 'info'), icon: icon || undefined }), titled(ctx, node)),
  ],
  code: (ctx, node, attributes) => withCode(ctx, node, (code) => titledCode(ctx, code, codeOptions((name) => attributes[name]))),
  prompt: (ctx, node, attributes) => withCode(ctx, node, (code) => [block('prompt', promptData(attributes), [code])]),
  tabs: (ctx, node, attributes) =>
    parts(ctx, node, 'tab', block('tabs', compact({ fullWidth: yes(attributes['fullWidth']) }), []), (part) =>
      block('tabs-item', pick(part.attributes, ['title', 'icon', 'slug']), inside(ctx, part)),
    ),
  stepper: (ctx, node) => parts(ctx, node, 'step', block('stepper', {}, []), (part) => block('stepper-step', pick(part.attributes, ['icon']), titled(ctx, part))),
  columns: (ctx, node, attributes) =>
    parts(ctx, node, 'column', block('columns', compact({ fullWidth: yes(attributes['fullWidth']) }), []), (part) => block('column', columnData(part.attributes ?? {}), titled(ctx, part))),
  updates: (ctx, node, { format }) =>
    parts(ctx, node, 'update', block('updates', compact({ format: ['numeric', 'full', 'short'].find((name) => name === format) }), []), (part) =>
      block('update', updateData(part.attributes ?? {}), titled(ctx, part)),
    ),
  if: (ctx, node, attributes) => [block('if', { expression: attributes['expression'] ?? unbroken(node.value ?? '') }, inside(ctx, node))],
  expandable: (ctx, node, { title, open }) => [expandable(ctx, title ? [{ type: 'text', value: title }] : [], node.children ?? [], open === 'true')],
  file: (ctx, node, { src }) => captioned(ctx, node, 'file', refOf(ctx, src, 'file'), {}),
  embed: (ctx, node, { url, fullWidth }) => {
    const ref = refOf(ctx, url, 'embed');
    return captioned(ctx, node, 'embed', url, ref || /^https?:/i.test(url ?? '') ? { url: url ?? '', fullWidth: yes(fullWidth) } : null);
  },
  'content-ref': (ctx, node, { url }) => contentRef(ctx, node, url),
  'page-ref': (ctx, node, { page }) => contentRef(ctx, node, page),
  include: (ctx, node, attributes) => reusable(ctx, node, attributes['0'] ?? attributes['src'] ?? ''),
  openapi: (ctx, node, attributes) => swagger(ctx, node, attributes),
  swagger: (ctx, node, attributes) => (attributes['src'] === undefined ? legacySwagger(ctx, node) : swagger(ctx, node, attributes)),
  'openapi-operation': (ctx, node, attributes) =>
    openapi(ctx, node, 'openapi-operation', attributes, { path: attributes['path'] ?? '', method: attributes['method'] ?? '', headless: flag(attributes['headless']) }),
  'openapi-schemas': (ctx, node, attributes) =>
    openapi(ctx, node, 'openapi-schemas', attributes, { schemas: list(attributes['schemas']), grouped: flag(attributes['grouped']), title: attributes['title'] }),
  'openapi-webhook': (ctx, node, attributes) =>
    openapi(ctx, node, 'openapi-webhook', attributes, { name: attributes['name'] ?? '', method: attributes['method'] ?? '', headless: flag(attributes['headless']) }),
};

/** Tags that have a place of their own for a title, in their block or in what stands inside; before the others it is a paragraph. */
const TITLED = new Set(['hint', 'code', 'if', 'expandable', 'file', 'embed', 'content-ref', 'page-ref', 'openapi-schemas']);

/** A `{% name %}` with what stands between it and its end. */
export function tagBlocks(ctx: ParseContext, node: Md): Block[] {
  const name = node.name ?? '';
  const attributes = node.attributes ?? {};
  if (name.startsWith('@')) return integration(ctx, node);
  const convert = CONVERT[name];
  // A part without its whole (`{% tab %}` outside tabs) leaves its content.
  const nodes = convert ? convert(ctx, node, attributes) : ctx.blocks(node.children ?? []);
  return TITLED.has(name) ? nodes : [...titleOf(ctx, attributes), ...nodes];
}

function pick(attributes: Attributes | undefined, names: string[]): Data {
  return compact(Object.fromEntries(names.map((name) => [name, attributes?.[name] || undefined])));
}

const list = (value: string | undefined): string[] => (value ?? '').split(',').flatMap((part) => part.trim() || []);

/** The parts of a whole; what stands between parts follows the whole. */
function parts(ctx: ParseContext, node: Md, name: string, whole: Block, convert: (part: Md) => Block): Block[] {
  const children = node.children ?? [];
  const isPart = (child: Md): boolean => child.type === 'container' && child.name === name;
  const own = children.filter(isPart);
  const other = children.filter((child) => !isPart(child));
  const after = ctx.blocks(other);
  return own.length > 0 ? [{ ...whole, nodes: own.map(convert) }, ...after] : after;
}

/** `{% code %}` and `{% prompt %}` describe the one code block inside; anything else inside follows. */
function withCode(ctx: ParseContext, node: Md, make: (code: Block) => Block[]): Block[] {
  const bare = bareCode(ctx, node);
  if (bare) return make(codeBlock(bare, {}));
  const nodes = ctx.blocks(node.children ?? []);
  const code = nodes.find((child) => child.type === 'code');
  const rest = nodes.filter((child) => child !== code);
  return [...make(code ?? codeBlock([''], {})), ...rest];
}

/** The code with the options around it, under those of its own. A second title stands before it. */
function titledCode(ctx: ParseContext, code: Block, options: Data): Block[] {
  const data = { ...options, ...code.data };
  const { title } = options;
  return [...(typeof title === 'string' && title !== data['title'] ? [textOf(ctx, title)] : []), { ...code, data }];
}

function promptData(attributes: Attributes): Data {
  return compact({
    description: attributes['description'],
    icon: attributes['icon'] || undefined,
    openInAIProviders: flag(attributes['openInAIProviders']),
    defaultExpanded: ['hidden', 'partial', 'full'].find((name) => name === attributes['defaultExpanded']),
  });
}

function columnData(attributes: Attributes): Data {
  return compact({
    width: length(attributes['width']),
    verticalAlignment: ['top', 'middle', 'bottom'].find((name) => name === attributes['valign']),
  });
}

function updateData(attributes: Attributes): Data {
  const tags = list(attributes['tags']).map((tag) => ({ kind: 'tag', tag }));
  return compact({ date: attributes['date'] ?? '', tags: tags.length > 0 ? tags : undefined });
}

/** A void block with a caption, in attributes or as the first paragraph inside; without a target only that is left. */
function captioned(ctx: ParseContext, node: Md, type: string, target: Json | undefined, data: Data | null): Block[] {
  const { caption } = node.attributes ?? {};
  const nodes = [...(caption ? [textOf(ctx, caption)] : []), ...titleOf(ctx, node.attributes ?? {}), ...ctx.blocks(node.children ?? [])];
  if (!target || !data) return nodes;
  const [first, ...rest] = nodes;
  const own = type === 'file' ? { ref: target } : {};
  if (first?.type !== 'paragraph') return [voidBlock(type, compact({ ...own, ...data })), ...nodes];
  return [voidBlock(type, compact({ ...own, ...data }), [fragment('caption', [first])]), ...rest];
}

/** A reference is called by its label, or else by the title of the tag; what it is not called by stands before it. */
function contentRef(ctx: ParseContext, node: Md, url: string | undefined): Block[] {
  const ref = refOf(ctx, url, 'page');
  const children = node.children ?? [];
  const title = titleOf(ctx, node.attributes ?? {});
  const label = children.length === 1 && children[0]?.type === 'paragraph' ? lineOf(children) : '';
  const rest = ref && label !== '' ? [] : ctx.blocks(children);
  if (!ref) return [...title, ...(rest.length > 0 || !url ? rest : [textOf(ctx, url)])];
  if (label !== '' && label !== url) return [...title, voidBlock('content-ref', { ref, title: label })];
  return [voidBlock('content-ref', compact({ ref, title: node.attributes?.['title'] || undefined })), ...rest];
}

function reusable(ctx: ParseContext, node: Md, url: string): Block[] {
  const ref = refOf(ctx, url, 'include');
  return ref ? [voidBlock('reusable-content', { ref }), ...unlabelled(ctx, node, labelsOf(url))] : [textOf(ctx, url), ...ctx.blocks(node.children ?? [])];
}

function swagger(ctx: ParseContext, node: Md, attributes: Attributes): Block[] {
  const { src = '', path = '', method = '' } = attributes;
  const ref = refOf(ctx, src, 'openapi');
  if (!ref) return [textOf(ctx, [src, method, path].filter(Boolean).join(' ')), ...ctx.blocks(node.children ?? [])];
  const data = compact({ ref, path, method, expanded: flag(attributes['expanded']), fullWidth: yes(attributes['fullWidth']) });
  return [voidBlock('swagger', data), ...unlabelled(ctx, node, labelsOf(src))];
}

function openapi(ctx: ParseContext, node: Md, type: string, attributes: Attributes, data: Data): Block[] {
  const { spec } = attributes;
  if (!spec) return [...(TITLED.has(type) ? titleOf(ctx, attributes) : []), ...ctx.blocks(node.children ?? [])];
  return [voidBlock(type, compact({ ref: { kind: 'openapi', spec }, ...data })), ...unlabelled(ctx, node, [`OpenAPI ${spec}`])];
}

/** How a link to a source is called: as its URL, or as GitBook has it, as the last part of that. */
const labelsOf = (url: string): string[] => [url, url.slice(url.lastIndexOf('/') + 1)];

/** What stands inside a void block, but for the link that only repeats what the block points at. */
function unlabelled(ctx: ParseContext, node: Md, labels: string[]): Block[] {
  const lines = labels.map((label) => lineOf([mdText(label)]));
  const isLabel = ({ type, children: [only, ...others] = [] }: Md): boolean => type === 'paragraph' && only?.type === 'link' && others.length === 0 && lines.includes(lineOf([only]));
  const [first, ...rest] = node.children ?? [];
  return first ? ctx.blocks(isLabel(first) ? rest : [first, ...rest]) : [];
}

const RESERVED = ['action', 'url', 'fullWidth'];

function integration(ctx: ParseContext, node: Md): Block[] {
  const match = /^@([^/]+)\/(.+)$/.exec(node.name ?? '');
  const owner = match?.[1] ?? '';
  const name = match?.[2] ?? '';
  const after = ctx.blocks(node.children ?? []);
  const attributes = node.attributes ?? {};
  if (owner === 'mermaid' && name === 'diagram') {
    return [codeBlock((attributes['content'] ?? '').split('\n'), { syntax: 'mermaid' }), ...after];
  }
  const { own, props } = attributeData(attributes, RESERVED);
  const data = compact({ integration: owner, block: name, props, action: own['action'] === undefined ? undefined : propValue(own['action']), url: own['url'], fullWidth: yes(own['fullWidth']) });
  return [voidBlock('integration', data), ...after];
}

