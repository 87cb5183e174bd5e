import { textLine, type Line } from './lines.js';

export const LISTING = 'Listing';

/**
 * A listing of a book: the name of its file is the title of its block of code, its number and caption are a paragraph
 * below.
 */
export function listing(attributes: ReadonlyMap<string, string>, inside: readonly Line[], indent: string): Line[] {
  const said = (name: string): string => (attributes.get(name) ?? '').trim().replace(/\s*\n\s*/g, ' ');
  const [file, number, caption] = [said('file-name'), said('number'), said('caption')];
  const numbered = number === '' ? '' : `Listing ${number}`;
  const below = [numbered, caption].filter((part) => part !== '').join(': ');
  const paragraph = (text: string): Line[] => (text === '' ? [] : [textLine(''), textLine(indent + text)]);
  const titled = withTitle(inside, file);
  return [
    ...(titled === undefined ? paragraph(file) : []),
    textLine(''),
    ...(titled ?? inside),
    ...paragraph(below),
    textLine(''),
  ];
}

/** Lines whose only block of code has a title; `undefined` where there is another number of them. */
function withTitle(lines: readonly Line[], title: string): readonly Line[] | undefined {
  if (title === '') return lines;
  const isUsable = lines.filter(({ fence }) => fence === 'start').length === 1 && !/["`]/.test(title);
  if (!isUsable) return undefined;
  return lines.map((line) =>
    line.fence === 'start' ? { ...line, text: `${line.text.trimEnd()} title="${title}"` } : line,
  );
}
