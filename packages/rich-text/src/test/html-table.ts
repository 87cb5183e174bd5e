import { type Block } from '../model/types.js';
import { parseMarkdown } from '../parse/parse.js';
import { showTable, type ShownTable } from './show.js';

export const nodes = (markdown: string): Block[] => parseMarkdown(markdown).document.nodes;
export const read = (markdown: string): ShownTable => showTable(nodes(markdown)[0] as Block);

/** A table of one header row. */
export const html = (head: string, body = '', attributes = ''): string =>
  `<table${attributes}><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table>`;
export const row = (...cells: string[]): string => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
/** The cells of one column of a type, read from a row each. */
export const values = (type: string, ...cells: string[]): unknown[] =>
  read(html(`<th data-type="${type}">T</th>`, cells.map((cell) => row(cell)).join(''))).rows.map(([value]) => value);

export const p = (text: string): string => `paragraph("${text}")`;
