import { outline, type Heading, type RichDocument } from '@scriptorium/rich-text';
import { toHtml } from 'hast-util-to-html';
import { anchorsOf } from './anchors.js';
import { renderBlocks } from './blocks.js';
import { mostOfPage } from './contentkit/kit.js';
import { el, type HtmlNode } from './html.js';
import { renderInlines } from './inlines.js';
import { sharedByCards } from './openapi/shared-by-cards.js';
import { schemasBehind } from './openapi/schemas.js';
import type { RenderContext, Surroundings } from './render-context.js';

export interface RenderedDocument {
  nodes: HtmlNode[];
  headings: Heading[];
  /** The origins of frames that integrations show. */
  frames: string[];
}

/** A document as HTML; behind it the schemas that its cards lead to, and its notes. Pure. */
export function renderDocument(document: RichDocument, surroundings: Surroundings): RenderedDocument {
  const headings = outline(document);
  const anchors = anchorsOf(document, headings);
  let count = 0;
  const ctx: RenderContext = {
    ...surroundings,
    targetOf: (ref) => surroundings.targetOf(anchors.resolved(ref)),
    headings: new Map(headings.map(({ key, id }) => [key, id])),
    otherIds: anchors.otherIds,
    anchors: anchors.inTexts,
    notes: [],
    level: { last: 1 },
    cards: sharedByCards(document),
    components: { left: { ...mostOfPage } },
    frames: new Set(),
    next: () => (count += 1),
    blocks: (nodes) => renderBlocks(ctx, nodes),
    inlines: (nodes) => renderInlines(ctx, nodes),
  };
  const nodes = ctx.blocks(document.nodes);
  const whole = [...nodes, ...schemasBehind(ctx), ...notes(ctx)];
  return { nodes: whole, headings, frames: [...ctx.frames] };
}

/** Notes, those in notes too. */
function notes(ctx: RenderContext): HtmlNode[] {
  const items: HtmlNode[] = [];
  for (let index = 0; index < ctx.notes.length; index += 1) {
    const { id, nodes } = ctx.notes[index] ?? { id: '', nodes: [] };
    const back = el('a', { href: `#noted-${id}`, ariaLabel: ctx.say.backToText }, '↩');
    items.push(el('li', { id: `note-${id}` }, ctx.blocks(nodes), back));
  }
  return items.length === 0
    ? []
    : [el('section', { className: ['notes'], ariaLabel: ctx.say.notes }, el('ol', {}, items))];
}

/** HTML as text. */
export function htmlText(nodes: readonly HtmlNode[]): string {
  const root = { type: 'root', children: nodes } as Parameters<typeof toHtml>[0];
  return toHtml(root, { allowDangerousHtml: true });
}
