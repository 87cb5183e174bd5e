import { append } from '../model/append.js';
import { block, orEmptyParagraph, paragraph, voidBlock } from '../model/build.js';
import { type Block } from '../model/types.js';
import { BOUNDARY, DEFINITIONS, isBlank, isInlineLevel, oneLine, stringOf, type Md } from '../syntax/md.js';
import { codeBlock, codeFromFence } from './code.js';
import { type ParseContext } from './context.js';
import { customBlock } from './custom-blocks.js';
import { drawing, htmlBlocks } from './element-blocks.js';
import { nestElements } from './elements.js';
import { behindAnchors, headingBlock, namesAhead, withoutId } from './headings.js';
import { imagesOf } from './images.js';
import { inlines } from './inlines.js';
import { listsOf } from './lists.js';
import { quote } from './quotes.js';
import { gfmTable } from './gfm-table.js';
import { tagBlocks } from './tag-blocks.js';
import { nestTags } from './tags.js';

/**
 * Sibling flow nodes to blocks. Text and inline elements between blocks become paragraphs, empty anchors alone the id
 * of a heading.
 */
export function blocks(ctx: ParseContext, children: Md[]): Block[] {
  const out: Block[] = [];
  let run: Md[] = [];
  let ahead: string[][] = [];
  const add = (found: Block[]): void => {
    append(out, ahead.length > 0 ? behindAnchors(found, ahead) : found);
    ahead = [];
  };
  const addText = (nodes: Md[], fromHtml: boolean): void => {
    const names = namesAhead(nodes);
    if (names === undefined) add(paragraphBlocks(ctx, nodes, fromHtml));
    else ahead.push(names);
  };
  const flush = (): void => {
    if (!run.every(isBlank)) addText(oneLine(run), true);
    run = [];
  };
  for (const node of nestElements(nestTags(children), false)) {
    if (node.name === BOUNDARY) flush();
    else if (isInlineLevel(node)) run.push(node);
    else {
      flush();
      if (node.type === 'paragraph') addText(node.children ?? [], false);
      else add(blockOf(ctx, node));
    }
  }
  flush();
  if (ahead.length > 0) add([]);
  return out;
}

function blockOf(ctx: ParseContext, node: Md): Block[] {
  if (DEFINITIONS.has(node.type)) return [];
  switch (node.type) {
    case 'heading':
      return [heading(ctx, node)];
    case 'thematicBreak':
      return [voidBlock('divider', {})];
    case 'blockquote':
      return [quote(ctx, node)];
    case 'list':
      return list(ctx, node);
    case 'code':
      return codeFromFence(ctx, node);
    case 'math':
      return [voidBlock('math', { formula: (node.value ?? '').replace(/^\n|\n$/g, '') })];
    case 'table':
      return [gfmTable(ctx, node)];
    case 'container':
      return tagBlocks(ctx, node);
    case 'element': {
      const tagged = customBlock(node);
      return tagged ? tagBlocks(ctx, tagged) : htmlBlocks(ctx, node);
    }
    default:
      return node.children ? blocks(ctx, node.children) : codeOrNothing(node);
  }
}

function codeOrNothing(node: Md): Block[] {
  return node.value ? [codeBlock(node.value.split('\n'), {})] : [];
}

/** What is no block of HTML to markdown, but is one to a reader when it stands alone. */
const PLAYED = new Set(['video', 'audio']);

function playedAlone(children: Md[]): Md | undefined {
  const isSolid = (node: Md): boolean => !isBlank(node);
  if (children.find(isSolid)?.type !== 'html') return undefined;
  const [only, ...others] = nestElements(children, true).filter(isSolid);
  return others.length === 0 && PLAYED.has(only?.name ?? '') ? only : undefined;
}

/**
 * A paragraph, of markdown or what HTML left between blocks; or what it stands for when it holds nothing but images or
 * one formula.
 */
function paragraphBlocks(ctx: ParseContext, children: Md[], fromHtml: boolean): Block[] {
  const content = children.filter((node) => !isBlank(node));
  const [only] = content;
  if (content.length === 1 && only?.type === 'inlineMath')
    return [voidBlock('math', { formula: (only.value ?? '').trim() })];
  const played = playedAlone(children);
  if (played) return htmlBlocks(ctx, played);
  const drawn = content.length === 1 && only ? drawing(ctx, only) : null;
  if (drawn) return [drawn];
  if (content.length > 0 && content.every((node) => isBlockImage(node, fromHtml))) {
    const images = imagesOf(ctx, content);
    if (images) return images;
  }
  return [paragraph(inlines(ctx, children))];
}

/** Markdown images alone in a paragraph are blocks; HTML ones only where no inline size is named. */
function isBlockImage(node: Md, fromHtml: boolean): boolean {
  if (node.type === 'image' || node.type === 'imageReference') return true;
  if (!fromHtml || node.type !== 'element') return false;
  return node.name === 'picture' || (node.name === 'img' && !('data-size' in (node.attributes ?? {})));
}

function heading(ctx: ParseContext, { depth, children = [] }: Md): Block {
  const { text, id } = withoutId(ctx, children);
  return headingBlock(ctx, depth ?? 1, nestElements(text, true), { id });
}

function list(ctx: ParseContext, { children = [], ordered, start }: Md): Block[] {
  return listsOf(
    children.map((item) => listItem(ctx, item)),
    ordered === true,
    start ?? 1,
  );
}

function listItem(ctx: ParseContext, item: Md): Block {
  const isTask = item.checked != null;
  const children = isTask ? (item.children ?? []).filter((child) => !isPadding(child)) : (item.children ?? []);
  return block('list-item', isTask ? { checked: item.checked === true } : {}, orEmptyParagraph(blocks(ctx, children)));
}

/** A task without text is written with one protected space, because markdown wants something behind the box. */
function isPadding(node: Md): boolean {
  return (
    node.type === 'paragraph' && stringOf(node) === ' ' && (node.children ?? []).every((child) => child.type === 'text')
  );
}
