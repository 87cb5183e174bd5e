import { blocksThat, headingLevel, proseOf } from '../model/content.js';
import { type Block, type Data, type Fragment, type Inline, type InlineNode, type Node } from '../model/types.js';
import { tableData } from './table-texts.js';

/** What takes the place of the texts of a document. */
export interface TextMapping {
  /** Inline nodes of a block; `level` is 1 to 3 in a heading, else 0. */
  inlines(place: TextPlace, nodes: InlineNode[]): InlineNode[];
  /** A plain text in the data of a node. */
  plain(place: TextPlace, text: string): string;
}

/** Where a text stands: an id of its own, the key of the block around it, and the level of a heading. */
export type TextPlace = { id: string; block: string; level: number };

const UNTRANSLATED = blocksThat(({ prose }) => prose === 'none');

/** The members of data that are prose, by the type of their inline. */
const PROSE_OF_INLINES: ReadonlyMap<string, readonly string[]> = new Map([
  ['link', ['title']],
  ['inline-image', ['alt', 'caption']],
  ['button', ['label']],
]);

/** Walks documents in reading order and puts other texts in the place of those that are prose. */
export class TextMapper {
  private readonly given = new Set<string>();

  constructor(private readonly mapping: TextMapping) {}

  blocks(nodes: readonly Block[]): Block[] {
    return nodes.map((node) => this.block(node));
  }

  private block(node: Block): Block {
    if (UNTRANSLATED.has(node.type)) return node;
    const key = node.key ?? '';
    const out: Block = { ...node, data: this.data(node, key) };
    if (node.nodes) out.nodes = this.children(node, node.nodes, key);
    if (node.fragments) out.fragments = this.fragments(node.fragments, key);
    return out;
  }

  private children(node: Block, nodes: Node[], block: string): Node[] {
    if (nodes.some((child) => child.object === 'block'))
      return nodes.map((child) => (child.object === 'block' ? this.block(child) : child));
    const inlines = nodes.filter((child): child is InlineNode => child.object !== 'block');
    return inlines.length === 0 ? nodes : this.line(inlines, { id: block, block, level: headingLevel(node) });
  }

  private line(nodes: InlineNode[], place: TextPlace): InlineNode[] {
    const id = this.unique(place.id);
    return this.mapping.inlines(
      { ...place, id },
      nodes.map((child) => this.inline(child, place.block)),
    );
  }

  /** An inline with other texts in its data and notes; its own words belong to the line around it. */
  private inline(node: InlineNode, block: string): InlineNode {
    if (node.object === 'text') return node;
    const out: Inline = { ...node, data: this.data(node, block) };
    if (node.nodes) out.nodes = node.nodes.map((child) => this.inline(child, block));
    if (node.fragments) out.fragments = this.fragments(node.fragments, block);
    return out;
  }

  private fragments(fragments: Fragment[], block: string): Fragment[] {
    return fragments.map((part) => {
      if (part.nodes.some((child) => child.object === 'block'))
        return { ...part, nodes: part.nodes.map((child) => (child.object === 'block' ? this.block(child) : child)) };
      const inlines = part.nodes.filter((child): child is InlineNode => child.object !== 'block');
      const id = `${block}.${part.fragment ?? part.type ?? ''}`;
      return inlines.length === 0 ? part : { ...part, nodes: this.line(inlines, { id, block, level: 0 }) };
    });
  }

  private data(node: Block | Inline, block: string): Data {
    const own = node.key ?? block;
    const say = (name: string, text: string): string =>
      this.mapping.plain({ id: this.unique(`${own}.${name}`), block, level: 0 }, text);
    if (node.object === 'block' && node.type === 'table') return tableData(node, say);
    const prose = PROSE_OF_INLINES.get(node.type) ?? proseOf(node.type);
    const others = prose.flatMap((name): Array<[string, string]> => {
      const text = node.data[name];
      return typeof text === 'string' ? [[name, say(name, text)]] : [];
    });
    return others.length === 0 ? node.data : { ...node.data, ...Object.fromEntries(others) };
  }

  /** Two nodes of one key, or none, do not share an id. */
  private unique(id: string): string {
    let own = id;
    for (let n = 2; this.given.has(own); n++) own = `${id}#${n}`;
    this.given.add(own);
    return own;
  }
}
