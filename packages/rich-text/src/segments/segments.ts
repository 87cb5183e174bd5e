import { type InlineNode, type RichDocument } from '../model/types.js';
import { decodeInlines, encodeInlines, type EncodedInlines } from './inline-codec.js';
import { text as textNode } from '../model/build.js';
import { contextOf } from './context-of.js';
import { hasLetters, piecesOf, type Piece } from './pieces.js';
import { TextMapper, type TextPlace } from './text-mapper.js';

/**
 * A text of a document to translate. `id` is unique in the document and stays while its block keeps its key; `block` is
 * the key of that block. In `text`, `<g id="1">…</g>` stands for marks, links and notes around words, `<x id="2"/>` for
 * what is never translated, and `&`, `<` and `>` are written as entities. `headings` are the texts of the headings
 * above, the outermost first.
 */
export type Segment = { id: string; block: string; text: string; headings: readonly string[] };

/** The prose of a document in reading order, as texts to translate. No address, id, code or formula is among them. */
export function segmentsOf(document: RichDocument): Segment[] {
  const found: Segment[] = [];
  const headings = new Headings();
  const add = (place: TextPlace, encoded: EncodedInlines): void => {
    eachPiece(place.id, encoded.text, (id, { text }) => {
      found.push({ id, block: place.block, text, headings: headings.above(place.level) });
      return text;
    });
    headings.pass(place.level, encoded.text);
  };
  new TextMapper({
    inlines: (place, nodes) => {
      add(place, encodeInlines(nodes));
      return nodes;
    },
    plain: (place, text) => {
      add(place, encodeInlines([textNode(text)]));
      return text;
    },
  }).blocks(document.nodes);
  return found;
}

/**
 * The document with other texts in the place of its segments, by their ids. A segment without a text, or with one whose
 * tags are not those of the segment, stays as it is. Keys, ids, addresses and code do not change.
 */
export function withSegments(document: RichDocument, texts: ReadonlyMap<string, string>): RichDocument {
  const mapper = new TextMapper({
    inlines: (place, nodes) => translated(place, nodes, texts) ?? nodes,
    plain: (place, text) => {
      const nodes = translated(place, [textNode(text)], texts);
      return nodes === undefined ? text : nodes.map(plainOf).join('');
    },
  });
  return { ...document, nodes: mapper.blocks(document.nodes) };
}

/** Inline nodes with other words; `undefined` when they stay. */
function translated(
  place: TextPlace,
  nodes: InlineNode[],
  texts: ReadonlyMap<string, string>,
): InlineNode[] | undefined {
  const { text, templates } = encodeInlines(nodes);
  const other = eachPiece(place.id, text, (id, piece) => texts.get(id) ?? piece.text);
  return other === text ? undefined : decodeInlines(other, templates);
}

/** Asks for the text of every piece that has a letter, and joins what it gets with what stands around it. */
function eachPiece(id: string, text: string, say: (id: string, piece: Piece) => string): string {
  return piecesOf(text)
    .map((piece, i) => {
      const own = hasLetters(piece.text) ? say(i === 0 ? id : `${id}~${i + 1}`, piece) : piece.text;
      return `${piece.before}${own}${piece.after}`;
    })
    .join('');
}

const plainOf = (node: InlineNode): string =>
  node.object === 'text' ? node.leaves.map((leaf) => leaf.text).join('') : '';

/** The headings above a place, while a document is read. */
class Headings {
  private texts: string[] = [];

  above(level: number): string[] {
    return this.texts.slice(0, level > 0 ? level - 1 : undefined).filter((text) => text !== '');
  }

  pass(level: number, text: string): void {
    if (level === 0) return;
    const above = [...this.texts, '', ''].slice(0, level - 1);
    this.texts = [...above, contextOf(text)];
  }
}
