import temml from 'temml';
import { el, type HtmlNode } from './html.js';

/** A longer formula is shown as its text. */
const longestFormula = 4_000;

/** A formula as MathML, which browsers show without scripts; its text when it cannot be read. */
export function formula(source: string, isBlock: boolean): HtmlNode {
  const markup = source.length > longestFormula ? undefined : mathMl(source, isBlock);
  if (markup === undefined) return el('code', { className: ['formula'] }, source);
  return el(isBlock ? 'div' : 'span', { className: ['math'] }, { type: 'raw', value: markup });
}

function mathMl(source: string, displayMode: boolean): string | undefined {
  try {
    const options = {
      displayMode,
      throwOnError: true,
      trust: false,
      maxExpand: 200,
      maxSize: [20, 20] as [number, number],
    };
    // Pages have no styles in attributes: their policy would refuse them.
    return temml.renderToString(source, options).replaceAll(/ style="[^"]*"/g, '');
  } catch {
    return undefined;
  }
}
