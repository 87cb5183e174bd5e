/** A part of a tagged text: words, a void tag, or a pair of tags around parts. */
export type TaggedPart =
  { kind: 'text'; text: string } | { kind: 'void'; id: number } | { kind: 'pair'; id: number; parts: TaggedPart[] };

const TOKEN = /<g id="(\d{1,6})">|<x id="(\d{1,6})"\/>|(<\/g>)|&(amp|lt|gt);|[^<&]+|[<&]/g;
const CHARACTERS: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>' };
const WRITTEN: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Words as they stand in a tagged text. */
export const escaped = (text: string): string => text.replace(/[&<>]/g, (character) => WRITTEN[character] ?? '');

/** Tags that stand in one another; documents have far fewer. */
const DEEPEST = 100;

/** The parts of a tagged text; `undefined` when it has other markup, or tags that do not nest, or too deep ones. */
export function taggedParts(text: string): TaggedPart[] | undefined {
  const top: TaggedPart[] = [];
  const open: TaggedPart[][] = [top];
  for (const [token, pair, single, end, entity] of text.matchAll(TOKEN)) {
    const parts = open[open.length - 1];
    if (parts === undefined || token === '<' || open.length > DEEPEST) return undefined;
    if (pair !== undefined) {
      const inside: TaggedPart[] = [];
      parts.push({ kind: 'pair', id: Number(pair), parts: inside });
      open.push(inside);
    } else if (single !== undefined) parts.push({ kind: 'void', id: Number(single) });
    else if (end !== undefined) open.pop();
    else addText(parts, entity === undefined ? token : (CHARACTERS[entity] ?? ''));
  }
  return open.length === 1 && open[0] === top ? top : undefined;
}

function addText(parts: TaggedPart[], text: string): void {
  const last = parts[parts.length - 1];
  if (last?.kind === 'text') last.text += text;
  else parts.push({ kind: 'text', text });
}

/** The tagged text of parts: `taggedText(taggedParts(text))` is `text` where that is written as this writes it. */
export function taggedText(parts: readonly TaggedPart[]): string {
  return parts
    .map((part) => {
      if (part.kind === 'text') return escaped(part.text);
      return part.kind === 'void' ? `<x id="${part.id}"/>` : `<g id="${part.id}">${taggedText(part.parts)}</g>`;
    })
    .join('');
}

/** The words of parts; a void tag is one object replacement character. */
export function wordsOf(parts: readonly TaggedPart[]): string {
  return parts
    .map((part) => (part.kind === 'text' ? part.text : part.kind === 'void' ? '\ufffc' : wordsOf(part.parts)))
    .join('');
}

/** Parts in which every text is another one. */
export function mapWords(parts: readonly TaggedPart[], change: (text: string) => string): TaggedPart[] {
  return parts.map((part) => {
    if (part.kind === 'text') return { ...part, text: change(part.text) };
    return part.kind === 'void' ? part : { ...part, parts: mapWords(part.parts, change) };
  });
}
