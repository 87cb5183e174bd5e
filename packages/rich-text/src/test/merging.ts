import { diff, merge, parseMarkdown, toMarkdown, type RichDocument } from '../index.js';

export const read = (markdown: string, previous?: RichDocument): RichDocument =>
  parseMarkdown(markdown, previous ? { previous } : {}).document;

/** Both sides read over the base, as an editor of markdown would. */
export function merged(base: string, ours: string, theirs: string): { text: string; conflicts: string[] } {
  const root = read(base);
  const { document, conflicts } = merge(root, read(ours, root), read(theirs, root));
  return { text: toMarkdown(document).trim(), conflicts: conflicts.map((conflict) => conflict.kind) };
}

/** What became of the blocks, as somebody who reads a change sees it. */
export const changes = (before: string, after: string): string[] => {
  const root = read(before);
  return diff(root, read(after, root)).map(({ kind }) => kind);
};

export const code = (text: string): string => `\`\`\`\n${text}\n\`\`\``;
export const cells = (...rows: string[]): string => ['| k | v |', '| - | - |', ...rows].join('\n');
