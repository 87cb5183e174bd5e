import type { Block } from '@scriptorium/rich-text';
import { code } from '../code.js';
import { classes, el, type HtmlNode } from '../html.js';
import { icon } from '../icons.js';
import { outside } from '../inlines.js';
import { described } from '../openapi/described.js';
import type { RenderContext } from '../render-context.js';
import type { Component, Fields } from '../rendered-component.js';
import { button, input, valueOf } from './controls.js';
import { webframe } from './frames.js';
import { imageOf, lineOf } from './inline-elements.js';
import { isFields, most, nameIn, openedBy, textOf, type Kit } from './kit.js';

/**
 * What a component of an integration has rendered, as HTML: its texts are escaped, its addresses have a scheme that is
 * safe, and what would need the script of the integration is text. Nothing if it cannot be shown. Pure but for
 * `ctx.frames` and what it takes of `ctx.components.left`.
 */
export function componentAsHtml(
  ctx: RenderContext,
  { element, state }: Component,
  { title, frames }: Pick<Kit, 'title' | 'frames'>,
): HtmlNode[] {
  if (element['type'] !== 'block') return [];
  const ofPage = ctx.components.left;
  const given = {
    elements: Math.min(most.elements, ofPage.elements),
    characters: Math.min(most.characters, ofPage.characters),
  };
  const left = { ...given };
  try {
    return elements({ ctx, title, state, frames, left }, element['children'], 0);
  } catch {
    // The rest of the page is shown all the same, with a card in place of the component.
    return [];
  } finally {
    ofPage.elements -= given.elements - left.elements;
    ofPage.characters -= given.characters - left.characters;
  }
}

type Draw = (kit: Kit, fields: Fields, depth: number) => HtmlNode[];

const kinds: Readonly<Record<string, Draw>> = {
  block: inside,
  vstack: (kit, fields, depth) => stack(kit, fields, depth, 'column'),
  hstack: (kit, fields, depth) => stack(kit, fields, depth, 'row'),
  box: inside,
  stepper: inside,
  step: inside,
  divider: () => [el('hr', {})],
  text: paragraph,
  link: paragraph,
  hint: (kit, fields, depth) =>
    within(lineOf(kit, fields['children'], depth), (line) => el('p', {}, el('small', {}, line))),
  markdown,
  image: (kit, fields) => within(imageOf(kit, fields, 'component-image'), (image) => el('p', {}, image)),
  card,
  codeblock,
  webframe: (kit, fields, depth) => [...webframe(kit, fields), ...elements(kit, fields['buttons'], depth + 1)],
  button,
  input,
  textinput: valueOf,
  select: valueOf,
  switch: valueOf,
  checkbox: valueOf,
  radio: valueOf,
};

/** Elements in their order. What is no element, and what nests too deeply, is left out. */
function elements(kit: Kit, value: unknown, depth: number): HtmlNode[] {
  if (depth > most.depth || kit.left.elements <= 0) return [];
  if (Array.isArray(value)) return (value as unknown[]).flatMap((one) => elements(kit, one, depth + 1));
  if (typeof value === 'string') return within(lineOf(kit, value), (line) => el('p', {}, line));
  if (!isFields(value)) return [];
  const type = nameIn(value, 'type');
  const draw = Object.hasOwn(kinds, type) ? kinds[type] : undefined;
  if (draw === undefined) return [];
  kit.left.elements -= 1;
  return draw(kit, value, depth);
}

function inside(kit: Kit, { children }: Fields, depth: number): HtmlNode[] {
  return elements(kit, children, depth + 1);
}

function within(nodes: HtmlNode[], wrap: (nodes: HtmlNode[]) => HtmlNode): HtmlNode[] {
  return nodes.length === 0 ? [] : [wrap(nodes)];
}

function stack(kit: Kit, fields: Fields, depth: number, direction: 'row' | 'column'): HtmlNode[] {
  const align = ['start', 'center', 'end'].find((one) => one === fields['align']);
  const look = classes(`stack-${direction}`, align && `stack-${align}`);
  return within(inside(kit, fields, depth), (nodes) => el('div', look, nodes));
}

function paragraph(kit: Kit, fields: Fields, depth: number): HtmlNode[] {
  return within(lineOf(kit, fields, depth), (line) => el('p', {}, line));
}

/** Reading it takes as long as showing so many elements. */
const costOfMarkdown = 20;

function markdown(kit: Kit, { content }: Fields): HtmlNode[] {
  kit.left.elements = Math.max(0, kit.left.elements - costOfMarkdown);
  return described(kit.ctx, textOf(kit, content));
}

function card(kit: Kit, { title, hint, icon: given, onPress, children, buttons }: Fields, depth: number): HtmlNode[] {
  const named = textOf(kit, title);
  const href = openedBy(kit, onPress);
  const drawn = isFields(given)
    ? imageOf(kit, given, 'line-image')
    : typeof given === 'string' && given !== ''
      ? [icon(given, { isSolid: kit.ctx.isSolid })]
      : [];
  const text = named || href || '';
  const top = href === undefined ? el('strong', {}, text) : el('a', { href, ...outside(kit.ctx) }, text);
  const parts = [
    ...(text === '' && drawn.length === 0 ? [] : [el('p', {}, drawn, drawn.length > 0 ? ' ' : undefined, top)]),
    ...within(lineOf(kit, hint, depth), (line) => el('p', {}, el('small', {}, line))),
    ...elements(kit, children, depth + 1),
    ...within(elements(kit, buttons, depth + 1), (nodes) => el('div', classes('stack-row'), nodes)),
  ];
  return within(parts, (nodes) => el('div', classes('card'), nodes));
}

/** Code as blocks of code are shown, without marked words. */
function codeblock(
  kit: Kit,
  { content, syntax, lineNumbers, header, footer, buttons }: Fields,
  depth: number,
): HtmlNode[] {
  const lines = textOf(kit, content).split('\n').map(codeLine);
  const data = { syntax: textOf(kit, syntax), lineNumbers: lineNumbers === true };
  const block: Block = { object: 'block', type: 'code', isVoid: false, data, nodes: lines };
  return [
    ...elements(kit, header, depth + 1),
    ...code(kit.ctx, block),
    ...elements(kit, footer, depth + 1),
    ...elements(kit, buttons, depth + 1),
  ];
}

function codeLine(text: string): Block {
  const leaf = { object: 'leaf' as const, text, marks: [] };
  return { object: 'block', type: 'code-line', isVoid: false, data: {}, nodes: [{ object: 'text', leaves: [leaf] }] };
}
