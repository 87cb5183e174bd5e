import { common, createLowlight } from 'lowlight';
import type { HtmlNode } from '../rich-text/html.js';

/** A block of code whose words are to be marked. */
export interface PlainCode {
  language: string;
  text: string;
}

const lowlight = createLowlight(common);

/** Other names of languages that authors use. */
const otherNames: Readonly<Record<string, string>> = {
  console: 'shell',
  jsonc: 'json',
  json5: 'json',
  toml: 'ini',
  vue: 'xml',
  svelte: 'xml',
  mdx: 'markdown',
};

/** The lines of blocks of code with their words marked; `null` for a language that is not known. */
export function highlight(blocks: readonly PlainCode[]): (HtmlNode[][] | null)[] {
  return blocks.map(({ language, text }) => {
    const name = language.toLowerCase();
    const known = Object.hasOwn(otherNames, name) ? (otherNames[name] ?? name) : name;
    if (!lowlight.registered(known)) return null;
    return inLines(lowlight.highlight(known, text).children as HtmlNode[]);
  });
}

/** Nodes line by line: an element that goes over several lines becomes one on each. */
function inLines(nodes: readonly HtmlNode[]): HtmlNode[][] {
  const lines: HtmlNode[][] = [[]];
  for (const node of nodes) {
    const parts =
      node.type === 'element'
        ? inLines(node.children).map((children) => [{ ...node, children }])
        : textLines(node.value);
    parts.forEach((part, index) => {
      if (index > 0) lines.push([]);
      lines.at(-1)?.push(...part);
    });
  }
  return lines;
}

function textLines(text: string): HtmlNode[][] {
  return text.split('\n').map((value) => (value === '' ? [] : [{ type: 'text', value }]));
}
