import { block, compact, orEmptyParagraph } from '../model/build.js';
import { TAGS, type WholeTag } from '../model/content.js';
import { type Block, type Data } from '../model/types.js';
import { type Attributes, type Md } from '../syntax/md.js';
import { unbroken } from '../syntax/spaces.js';
import { bareCode } from './bare-code.js';
import { codeBlock, codeOptions } from './code.js';
import { refOf, type ParseContext } from './context.js';
import { expandable } from './element-blocks.js';
import { length } from './images.js';
import { plainInlines, textOf, titleOf } from './inlines.js';
import { legacySwagger } from './legacy-swagger.js';
import { flag, list, yes } from './tag-attributes.js';
import { captioned, contentRef, integration, openapi, reusable, swagger } from './void-tags.js';

type Convert = (ctx: ParseContext, node: Md, attributes: Attributes) => Block[];

const inside = (ctx: ParseContext, node: Md): Block[] => orEmptyParagraph(ctx.blocks(node.children ?? []));

/** What stands inside, under the title of the tag where its block has no place for one. */
function titled(ctx: ParseContext, node: Md): Block[] {
  const title = node.attributes?.['title'];
  return title
    ? [block('heading-2', {}, plainInlines(ctx, title)), ...ctx.blocks(node.children ?? [])]
    : inside(ctx, node);
}

const STYLES = new Set(['info', 'warning', 'danger', 'success']);
const LEGACY_STYLES: ReadonlyMap<string, string> = new Map([
  ['tip', 'success'],
  ['note', 'info'],
  ['working', 'warning'],
]);

const READ: { readonly [name in WholeTag]: Convert } = {
  hint: (ctx, node, { style = 'info', icon }) => [
    block(
      'hint',
      compact({ style: STYLES.has(style) ? style : (LEGACY_STYLES.get(style) ?? 'info'), icon: icon || undefined }),
      titled(ctx, node),
    ),
  ],
  code: (ctx, node, attributes) =>
    withCode(ctx, node, (code) =>
      titledCode(
        ctx,
        code,
        codeOptions((name) => attributes[name]),
      ),
    ),
  prompt: (ctx, node, attributes) => withCode(ctx, node, (code) => [block('prompt', promptData(attributes), [code])]),
  tabs: (ctx, node, attributes) =>
    parts(ctx, node, 'tab', block('tabs', compact({ fullWidth: yes(attributes['fullWidth']) }), []), (part) =>
      block('tabs-item', pick(part.attributes, ['title', 'icon', 'slug']), inside(ctx, part)),
    ),
  stepper: (ctx, node) =>
    parts(ctx, node, 'step', block('stepper', {}, []), (part) =>
      block('stepper-step', pick(part.attributes, ['icon']), titled(ctx, part)),
    ),
  columns: (ctx, node, attributes) =>
    parts(ctx, node, 'column', block('columns', compact({ fullWidth: yes(attributes['fullWidth']) }), []), (part) =>
      block('column', columnData(part.attributes ?? {}), titled(ctx, part)),
    ),
  updates: (ctx, node, { format }) =>
    parts(
      ctx,
      node,
      'update',
      block('updates', compact({ format: ['numeric', 'full', 'short'].find((name) => name === format) }), []),
      (part) => block('update', updateData(part.attributes ?? {}), titled(ctx, part)),
    ),
  if: (ctx, node, attributes) => [
    block('if', { expression: attributes['expression'] ?? unbroken(node.value ?? '') }, inside(ctx, node)),
  ],
  expandable: (ctx, node, { title, open }) => [
    expandable(ctx, title ? [{ type: 'text', value: title }] : [], node.children ?? [], open === 'true'),
  ],
  file: (ctx, node, { src }) => captioned(ctx, node, 'file', refOf(ctx, src, 'file'), {}),
  embed: (ctx, node, { url, fullWidth }) => {
    const ref = refOf(ctx, url, 'embed');
    return captioned(
      ctx,
      node,
      'embed',
      url,
      ref || /^https?:/i.test(url ?? '') ? { url: url ?? '', fullWidth: yes(fullWidth) } : null,
    );
  },
  'content-ref': (ctx, node, { url }) => contentRef(ctx, node, url),
  'page-ref': (ctx, node, { page }) => contentRef(ctx, node, page),
  include: (ctx, node, attributes) => reusable(ctx, node, attributes['0'] ?? attributes['src'] ?? ''),
  openapi: (ctx, node, attributes) => swagger(ctx, node, attributes),
  swagger: (ctx, node, attributes) =>
    attributes['src'] === undefined ? legacySwagger(ctx, node) : swagger(ctx, node, attributes),
  'openapi-operation': (ctx, node, attributes) =>
    openapi(ctx, node, 'openapi-operation', attributes, {
      path: attributes['path'] ?? '',
      method: attributes['method'] ?? '',
      headless: flag(attributes['headless']),
    }),
  'openapi-schemas': (ctx, node, attributes) =>
    openapi(ctx, node, 'openapi-schemas', attributes, {
      schemas: list(attributes['schemas']),
      grouped: flag(attributes['grouped']),
      title: attributes['title'],
    }),
  'openapi-webhook': (ctx, node, attributes) =>
    openapi(ctx, node, 'openapi-webhook', attributes, {
      name: attributes['name'] ?? '',
      method: attributes['method'] ?? '',
      headless: flag(attributes['headless']),
    }),
};

const isWhole = (name: string): name is WholeTag => Object.hasOwn(READ, name);

/** A `{% name %}` with what stands between it and its end. */
export function tagBlocks(ctx: ParseContext, node: Md): Block[] {
  const name = node.name ?? '';
  const attributes = node.attributes ?? {};
  if (name.startsWith('@')) return integration(ctx, node);
  const convert = isWhole(name) ? READ[name] : undefined;
  // A part without its whole (`{% tab %}` outside tabs) leaves its content.
  const nodes = convert ? convert(ctx, node, attributes) : ctx.blocks(node.children ?? []);
  return TAGS.get(name)?.takesTitle === true ? nodes : [...titleOf(ctx, attributes), ...nodes];
}

function pick(attributes: Attributes | undefined, names: string[]): Data {
  return compact(Object.fromEntries(names.map((name) => [name, attributes?.[name] || undefined])));
}

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
