/** A text has at most as many sentences that are looked at. */
const mostSentences = 200;

/** The sentences of a text in order; a line ends one, too. */
export function sentencesOf(text: string): string[] {
  const found: string[] = [];
  const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });
  for (const line of text.split('\n'))
    for (const { segment } of segmenter.segment(line)) {
      const sentence = segment.replace(/\s+/gu, ' ').trim();
      if (sentence === '') continue;
      found.push(sentence);
      if (found.length === mostSentences) return found;
    }
  return found;
}

/** A text of at most as many characters, cut after a word where that is possible. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  const room = text.slice(0, most - 1);
  const blank = room.lastIndexOf(' ');
  const end = blank > most / 2 ? blank : most - 1;
  return `${withoutHalfMark(text.slice(0, end))
    .toWellFormed()
    .replace(/\ufffd$/u, '')}…`;
}

/** A mark of masking that was cut is no mark any more, so it goes. */
const withoutHalfMark = (text: string): string => text.replace(/\[[a-z-]{0,7}$/u, '').trimEnd();
