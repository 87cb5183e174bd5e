import { API_BLOCKS } from '../model/content.js';
import { RichTextError } from '../model/errors.js';
import { isRef } from '../model/json.js';
import { keysFrom } from '../model/keys.js';
import { limitsOf, type Limits } from '../model/limits.js';
import {
  type Block,
  type ContentRef,
  type Data,
  type Fragment,
  type Inline,
  type Json,
  type Node,
  type RichDocument,
} from '../model/types.js';
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
  limits?: Partial<Limits>;
};

const MAX_DEPTH = 5;
const TARGETS = new Set(['content-ref', 'link', 'mention']);

/**
 * The document with reusable contents replaced by their nodes, up to 5 deep; one that contains itself, or does not
 * exist, is left. With `target` and `openapi` also what references point at. Keys stay unique: a content included twice
 * gets new ones the second time.
 * @throws RichTextError `too_many_nodes` when the result, with the references replaced in it, has more nodes than
 * `limits` allow, `too_complex` when it repeats more text than they allow: contents that include each other many times
 * grow with a power of their size
 */
export function dereference(document: RichDocument, options: DereferenceOptions): RichDocument {
  const nodes = new Expansion(options).nodes(document.nodes, { open: [], repeated: false });
  return {
    ...document,
    nodes: unique(
      nodes.filter((node) => node.object === 'block'),
      document,
    ),
  };
}

/** Where nodes come from: the contents they stand in, and whether those were included before. */
type Origin = { open: readonly string[]; repeated: boolean };

class Expansion {
  private readonly limits: Limits;
  private readonly included = new Set<string>();
  private count = 0;
  private repeated = 0;

  constructor(private readonly options: DereferenceOptions) {
    this.limits = limitsOf(options.limits);
  }

  nodes(nodes: readonly Node[], origin: Origin): Node[] {
    return nodes.flatMap((node): Node[] => {
      this.spend();
      const content = node.object === 'block' && node.type === 'reusable-content' ? this.content(node, origin) : null;
      if (content) return content;
      if (origin.repeated) this.repeat(node);
      if (node.object === 'text') return [node];
      return [resolved({ ...node, ...this.inside(node, origin) } as Block | Inline, this.options)];
    });
  }

  private content(node: Block, { open, repeated }: Origin): Node[] | null {
    const ref = refOf(node.data['ref']);
    if (!ref) return null;
    const id = canonical(ref);
    if (open.length >= MAX_DEPTH || open.includes(id)) return null;
    const content = this.options.reusableContent(ref);
    if (!content) return null;
    const again = repeated || this.included.has(id);
    this.included.add(id);
    return this.nodes(content.nodes, { open: [...open, id], repeated: again });
  }

  private inside(node: Block | Inline, origin: Origin): { nodes?: Node[]; fragments?: Fragment[] } {
    const fragments = node.fragments?.map((part) => {
      this.spend();
      return { ...part, nodes: this.nodes(part.nodes, origin) };
    });
    return { ...(node.nodes && { nodes: this.nodes(node.nodes, origin) }), ...(fragments && { fragments }) };
  }

  /** References that are replaced count too: contents that hold nothing cost time all the same. */
  private spend(): void {
    const { maxNodes } = this.limits;
    if (++this.count > maxNodes)
      throw new RichTextError('too_many_nodes', `The document has more than ${maxNodes} nodes with what it includes.`);
  }

  private repeat(node: Node): void {
    this.repeated +=
      node.object === 'text'
        ? node.leaves.reduce((length, leaf) => length + leaf.text.length, 0)
        : JSON.stringify(node.data).length;
    if (this.repeated > this.limits.maxBytes)
      throw new RichTextError('too_complex', 'The document includes long contents too often.');
  }
}

function resolved<T extends Block | Inline>(node: T, options: DereferenceOptions): T {
  const ref = refOf(node.data['ref']);
  const found =
    TARGETS.has(node.type) && ref
      ? options.target?.(ref)
      : node.object === 'block' && API_BLOCKS.has(node.type)
        ? options.openapi?.(node)
        : null;
  return found === null || found === undefined ? node : { ...node, data: { ...node.data, resolved: found } };
}

const refOf = (value: Json | undefined): ContentRef | null => (isRef(value) ? value : null);

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
