/** The most characters of a segment. */
export const SEGMENT_CHARACTERS = 8_000;

/** A part of a text with the spaces around it, which no translation has to keep. */
export type Piece = { before: string; text: string; after: string };

const sentences = new Intl.Segmenter('en', { granularity: 'sentence' });
const words = new Intl.Segmenter('en', { granularity: 'word' });
const TOKEN = /<g id="\d+">|<\/g>|<x id="\d+"\/>|&\w+;|[^<&]+/g;

/**
 * A tagged text cut into pieces of at most `most` characters: at ends of sentences, in longer sentences at words, and
 * never inside a pair of tags. What cannot be cut stays longer.
 */
export function piecesOf(text: string, most = SEGMENT_CHARACTERS): Piece[] {
  if (text.length <= most) return [trimmed(text)];
  const cuts = [...cutsOf(text, most), text.length];
  const pieces: string[] = [];
  let begin = 0;
  cuts.forEach((cut, i) => {
    const next = cuts[i + 1];
    if (next !== undefined && next - begin <= most) return;
    if (cut > begin) pieces.push(text.slice(begin, cut));
    begin = cut;
  });
  return pieces.map(trimmed);
}

function trimmed(text: string): Piece {
  const inner = text.trim();
  const at = text.indexOf(inner);
  return { before: text.slice(0, at), text: inner, after: text.slice(at + inner.length) };
}

/** Where a text may be cut, in order. */
function cutsOf(text: string, most: number): number[] {
  let depth = 0;
  return [...text.matchAll(TOKEN)].flatMap(({ 0: token, index }) => {
    if (token.startsWith('<g')) depth++;
    else if (token === '</g>') depth--;
    if (depth > 0 || /^[<&]/.test(token)) return [];
    return cutsOfWords(token, most)
      .map((at) => index + at)
      .filter((at) => at > 0);
  });
}

function cutsOfWords(text: string, most: number): number[] {
  return [...sentences.segment(text)].flatMap(({ segment, index }) =>
    segment.length <= most ? [index] : [...words.segment(segment)].map((word) => index + word.index),
  );
}

/** True for a text with a letter outside of its tags. */
export const hasLetters = (text: string): boolean => /\p{L}/u.test(text.replace(/<[^>]*>|&\w+;/g, ' '));
