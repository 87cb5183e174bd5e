import { el, type HtmlNode } from '../html.js';
import { outside } from '../inlines.js';
import type { Fields } from '../rendered-component.js';
import { addressOf, isFields, most, nameIn, textOf, type Kit } from './kit.js';

const styles: Readonly<Record<string, string>> = { bold: 'strong', italic: 'em', code: 'code', strikethrough: 's' };

/** Elements as a line of text: texts, links and pictures; of others what is in them. */
export function lineOf(kit: Kit, value: unknown, depth = 0): HtmlNode[] {
  if (depth > most.depth || kit.left.elements <= 0) return [];
  if (Array.isArray(value)) return (value as unknown[]).flatMap((one) => lineOf(kit, one, depth + 1));
  if (!isFields(value) || typeof value['$state'] === 'string') return written(textOf(kit, value));
  kit.left.elements -= 1;
  const inside = lineOf(kit, value['children'], depth + 1);
  if (value['type'] === 'image') return imageOf(kit, value, 'line-image');
  if (value['type'] === 'link') return linkOf(kit, value['target'], inside);
  const style = nameIn(value, 'style');
  const tag = value['type'] === 'text' && Object.hasOwn(styles, style) ? styles[style] : undefined;
  return tag === undefined || inside.length === 0 ? inside : [el(tag, {}, inside)];
}

/** A text; its line breaks are kept. */
function written(text: string): HtmlNode[] {
  if (text === '') return [];
  return text
    .split('\n')
    .flatMap((line, index): HtmlNode[] => [...(index === 0 ? [] : [el('br', {})]), { type: 'text', value: line }]);
}

/** What is in a link, which leads somewhere if its address is one that links may have. */
function linkOf(kit: Kit, target: unknown, inside: HtmlNode[]): HtmlNode[] {
  const href = addressOf(kit, isFields(target) ? target['url'] : undefined);
  if (href === undefined) return inside;
  return [el('a', { href, ...outside(kit.ctx) }, inside.length > 0 ? inside : href)];
}

/** A picture elsewhere. ContentKit has no words for what it shows. */
export function imageOf(kit: Kit, { source }: Fields, className: string): HtmlNode[] {
  const src = addressOf(kit, isFields(source) ? source['url'] : undefined);
  if (src === undefined || !/^https?:/.test(src)) return [];
  return [el('img', { src, alt: '', loading: 'lazy', className: [className] })];
}
