import { headingLevel } from '../model/content.js';
import {
  type Block,
  type Fragment,
  type Inline,
  type InlineNode,
  type Node,
  type RichDocument,
} from '../model/types.js';
import { outline } from '../text/outline.js';

/**
 * The document in which every heading has its anchor as an id of its own, so that links to `page#anchor` still lead
 * there when the words of the heading are others.
 */
export function withPinnedAnchors(document: RichDocument): RichDocument {
  const ids = outline(document).map(({ id }) => id);
  return { ...document, nodes: document.nodes.map((node) => pinnedBlock(node, ids)) };
}

/** `ids` are those of the headings that have not been reached yet, in reading order. */
function pinnedBlock(block: Block, ids: string[]): Block {
  const id = headingLevel(block) > 0 ? ids.shift() : undefined;
  const out: Block = id === undefined ? { ...block } : { ...block, data: { ...block.data, id } };
  if (block.nodes) out.nodes = block.nodes.map((node) => pinnedNode(node, ids));
  if (block.fragments) out.fragments = block.fragments.map((part) => pinnedFragment(part, ids));
  return out;
}

function pinnedNode(node: Node, ids: string[]): Node {
  return node.object === 'block' ? pinnedBlock(node, ids) : pinnedInline(node, ids);
}

function pinnedInline(node: InlineNode, ids: string[]): InlineNode {
  if (node.object === 'text') return node;
  const out: Inline = { ...node };
  if (node.nodes) out.nodes = node.nodes.map((child) => pinnedInline(child, ids));
  if (node.fragments) out.fragments = node.fragments.map((part) => pinnedFragment(part, ids));
  return out;
}

const pinnedFragment = (part: Fragment, ids: string[]): Fragment => ({
  ...part,
  nodes: part.nodes.map((node) => pinnedNode(node, ids)),
});
