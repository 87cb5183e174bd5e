const LONGEST = 200;
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
const ENTITIES: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>' };

/**
 * What a segment says above others, for a translator: without tags and what these stand for, on one line, and cut to
 * 200 characters.
 */
export function contextOf(segment: string): string {
  const said = segment
    .replace(/<[^>]*>/g, '')
    .replace(/&(?:amp|lt|gt);/g, (entity) => ENTITIES[entity] ?? '')
    .replace(/[\p{Cc}\p{Cs}\u2028\u2029\s]+/gu, ' ')
    .trim();
  return said.length <= LONGEST ? said : cut(said);
}

function cut(text: string): string {
  let end = 0;
  for (const { index, segment } of graphemes.segment(text)) {
    if (index + segment.length > LONGEST) break;
    end = index + segment.length;
  }
  return text.slice(0, end);
}
