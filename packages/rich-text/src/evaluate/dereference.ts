import { keysFrom } from '../model/keys.js';
import { type Block, type ContentRef, type Data, type Fragment, type Inline, type Json, type Node, type RichDocument } from '../model/types.js';
import { keysOf } from '../model/walk.js';
import { canonical } from '../model/canonical.js';

export type Resolved = { title: string; path?: string; href: string };

export type DereferenceOptions = {
  /** The content of a reusable content; null when it does not exist. */
  reusableContent: (ref: ContentRef) => RichDocument | null;
  /** What links, mentions and content references point at; written to `data.resolved`. */
  target?: (ref: ContentRef) => Resolved | null;
  /** What an OpenAPI block shows; written to `data.resolved`. */
  openapi?: (block: Block) => Json | null;
};

const MAX_DEPTH = 5;
const TARGETS = new Set(['content-ref', 'link', 'mention']);
const OPENAPI = new Set(['swagger', 'openapi-operation', 'openapi-schemas', 'openapi-webhook']);

/**
 * The document with reusable contents replaced by their nodes, up to 5 deep; one that contains itself, or does not exist, is left.
 * With `target` and `openapi` also what references point at. Keys stay unique: a content included twice gets new ones the second time.
 */
export function dereference(document: RichDocument, options: DereferenceOptions): RichDocument {
  const nodes = expand(document.nodes, options, []);
  return { ...document, nodes: unique(nodes.filter((node) => node.object === 'block'), document) };
}

function expand(nodes: readonly Node[], options: DereferenceOptions, open: readonly string[]): Node[] {
  return nodes.flatMap((node): Node[] => {
    if (node.object === 'text') return [node];
    if (node.object === 'block' && node.type === 'reusable-content') {
      const content = included(node, options, open);
      if (content) return content;
    }
    return [resolved({ ...node, ...inside(node, options, open) } as Block | Inline, options)];
  });
}

function included(node: Block, options: DereferenceOptions, open: readonly string[]): Node[] | null {
  const ref = refOf(node.data['ref']);
  if (!ref) return null;
  const id = canonical(ref);
  if (open.length >= MAX_DEPTH || open.includes(id)) return null;
  const content = options.reusableContent(ref);
  return content && expand(content.nodes, options, [...open, id]);
}

function inside(node: Block | Inline, options: DereferenceOptions, open: readonly string[]): { nodes?: Node[]; fragments?: Fragment[] } {
  const fragments = node.fragments?.map((part) => ({ ...part, nodes: expand(part.nodes, options, open) }));
  return { ...(node.nodes && { nodes: expand(node.nodes, options, open) }), ...(fragments && { fragments }) };
}

function resolved<T extends Block | Inline>(node: T, options: DereferenceOptions): T {
  const ref = refOf(node.data['ref']);
  const found = TARGETS.has(node.type) && ref ? options.target?.(ref) : node.object === 'block' && OPENAPI.has(node.type) ? options.openapi?.(node) : null;
  return found === null || found === undefined ? node : { ...node, data: { ...node.data, resolved: found } };
}

const refOf = (value: Json | undefined): ContentRef | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && typeof value['kind'] === 'string' ? (value as ContentRef) : null;

function unique(nodes: Block[], source: RichDocument): Block[] {
  const newKey = keysFrom('included', new Set([...nodes.flatMap((node) => [...keysOf(node)]), ...keysOf(source)]));
  const seen = new Set<string>();
  const visit = <T extends Node | Fragment>(node: T): T => {
    if (node.object === 'text') return node;
    const key = node.key === undefined ? undefined : seen.has(node.key) ? newKey() : node.key;
    if (key !== undefined) seen.add(key);
    const parts: Data | object = {
      ...(key !== undefined && { key }),
      ...('nodes' in node && node.nodes && { nodes: node.nodes.map((child) => visit(child)) }),
      ...('fragments' in node && node.fragments && { fragments: node.fragments.map((child) => visit(child)) }),
    };
    return { ...node, ...parts };
  };
  return nodes.map(visit);
}
