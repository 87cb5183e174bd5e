import { compact, fragment, voidBlock } from '../model/build.js';
import { TAGS } from '../model/content.js';
import { type Block, type Data, type Json } from '../model/types.js';
import { mdText, type Attributes, type Md } from '../syntax/md.js';
import { codeBlock } from './code.js';
import { refOf, type ParseContext } from './context.js';
import { lineOf } from './elements.js';
import { textOf, titleOf } from './inlines.js';
import { attributeData, propValue } from './props.js';
import { flag, yes } from './tag-attributes.js';

/** A void block with a caption, in attributes or as the first paragraph inside; without a target only that is left. */
export function captioned(
  ctx: ParseContext,
  node: Md,
  type: string,
  target: Json | undefined,
  data: Data | null,
): Block[] {
  const { caption } = node.attributes ?? {};
  const nodes = [
    ...(caption ? [textOf(ctx, caption)] : []),
    ...titleOf(ctx, node.attributes ?? {}),
    ...ctx.blocks(node.children ?? []),
  ];
  if (!target || !data) return nodes;
  const [first, ...rest] = nodes;
  const own = type === 'file' ? { ref: target } : {};
  if (first?.type !== 'paragraph') return [voidBlock(type, compact({ ...own, ...data })), ...nodes];
  return [voidBlock(type, compact({ ...own, ...data }), [fragment('caption', [first])]), ...rest];
}

/** A reference is called by its label, or else by the title of the tag; what it is not called by stands before it. */
export function contentRef(ctx: ParseContext, node: Md, url: string | undefined): Block[] {
  const ref = refOf(ctx, url, 'page');
  const children = node.children ?? [];
  const title = titleOf(ctx, node.attributes ?? {});
  const label = children.length === 1 && children[0]?.type === 'paragraph' ? lineOf(children) : '';
  const rest = ref && label !== '' ? [] : ctx.blocks(children);
  if (!ref) return [...title, ...(rest.length > 0 || !url ? rest : [textOf(ctx, url)])];
  if (label !== '' && label !== url) return [...title, voidBlock('content-ref', { ref, title: label })];
  return [voidBlock('content-ref', compact({ ref, title: node.attributes?.['title'] || undefined })), ...rest];
}

export function reusable(ctx: ParseContext, node: Md, url: string): Block[] {
  const ref = refOf(ctx, url, 'include');
  return ref
    ? [voidBlock('reusable-content', { ref }), ...unlabelled(ctx, node, labelsOf(url))]
    : [textOf(ctx, url), ...ctx.blocks(node.children ?? [])];
}

export function swagger(ctx: ParseContext, node: Md, attributes: Attributes): Block[] {
  const { src = '', path = '', method = '' } = attributes;
  const ref = refOf(ctx, src, 'openapi');
  if (!ref) return [textOf(ctx, [src, method, path].filter(Boolean).join(' ')), ...ctx.blocks(node.children ?? [])];
  const data = compact({
    ref,
    path,
    method,
    expanded: flag(attributes['expanded']),
    fullWidth: yes(attributes['fullWidth']),
  });
  return [voidBlock('swagger', data), ...unlabelled(ctx, node, labelsOf(src))];
}

export function openapi(ctx: ParseContext, node: Md, type: string, attributes: Attributes, data: Data): Block[] {
  const { spec } = attributes;
  if (!spec)
    return [
      ...(TAGS.get(type)?.takesTitle === true ? titleOf(ctx, attributes) : []),
      ...ctx.blocks(node.children ?? []),
    ];
  return [
    voidBlock(type, compact({ ref: { kind: 'openapi', spec }, ...data })),
    ...unlabelled(ctx, node, [`OpenAPI ${spec}`]),
  ];
}

/** How a link to a source is called: as its URL, or as GitBook has it, as the last part of that. */
const labelsOf = (url: string): string[] => [url, url.slice(url.lastIndexOf('/') + 1)];

/** What stands inside a void block, but for the link that only repeats what the block points at. */
function unlabelled(ctx: ParseContext, node: Md, labels: string[]): Block[] {
  const lines = labels.map((label) => lineOf([mdText(label)]));
  const isLabel = ({ type, children: [only, ...others] = [] }: Md): boolean =>
    type === 'paragraph' && only?.type === 'link' && others.length === 0 && lines.includes(lineOf([only]));
  const [first, ...rest] = node.children ?? [];
  return first ? ctx.blocks(isLabel(first) ? rest : [first, ...rest]) : [];
}

const RESERVED = ['action', 'url', 'fullWidth'];

export function integration(ctx: ParseContext, node: Md): Block[] {
  const match = /^@([^/]+)\/(.+)$/.exec(node.name ?? '');
  const owner = match?.[1] ?? '';
  const name = match?.[2] ?? '';
  const after = ctx.blocks(node.children ?? []);
  const attributes = node.attributes ?? {};
  if (owner === 'mermaid' && name === 'diagram') {
    return [codeBlock((attributes['content'] ?? '').split('\n'), { syntax: 'mermaid' }), ...after];
  }
  const { own, props } = attributeData(attributes, RESERVED);
  const data = compact({
    integration: owner,
    block: name,
    props,
    action: own['action'] === undefined ? undefined : propValue(own['action']),
    url: own['url'],
    fullWidth: yes(own['fullWidth']),
  });
  return [voidBlock('integration', data), ...after];
}
