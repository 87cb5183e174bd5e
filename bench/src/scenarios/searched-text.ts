const [wordsOfPage, words] = [300, 5_000];
const syllables = ['ba', 'de', 'fi', 'go', 'lu', 'ma', 'ne', 'pi', 'ro', 'su', 'ta', 've', 'wi', 'zo', 'ka', 'le'];

/** A word of three or four syllables; different numbers give different words. */
function wordAt(number: number): string {
  const digits = [number % 16, (number >> 4) % 16, (number >> 8) % 16, number >> 12];
  return digits
    .filter((digit, place) => place < 3 || digit > 0)
    .map((digit) => syllables[digit])
    .join('');
}

/** Words as texts have them: few of them often, most of them seldom. The same in every run. */
export function createWriter(): () => string {
  let state = 1;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return wordAt(Math.floor((state / 2_147_483_647) ** 3 * words));
  };
}

/** A page of six sections. */
export function textOf(next: () => string): string {
  const sentence = (length: number) => Array.from({ length }, next).join(' ');
  return Array.from({ length: 6 }, () => `## ${sentence(2)}\n\n${sentence(wordsOfPage / 6 - 2)}.\n\n`).join('');
}

/** Ten queries in a row are seven of one word, two of two words, and one of the beginning of a word. */
export function queryOf(number: number, next: () => string): string {
  const kind = number % 10;
  if (kind < 7) return next();
  return kind < 9 ? `${next()} ${next()}` : next().slice(0, 4);
}
