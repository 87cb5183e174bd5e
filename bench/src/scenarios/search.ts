import type { LoadRequest } from '../load/model.js';
import { timeEach } from '../load/one-at-a-time.js';
import { createSpace } from './library.js';
import { throughputScenario } from './line.js';
import type { Scenario } from './scenario.js';

const pageCount = 1_000;
const [wordsOfPage, words] = [300, 5_000];
const queries = 200;

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
function createWriter(): () => string {
  let state = 1;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return wordAt(Math.floor((state / 2_147_483_647) ** 3 * words));
  };
}

/** A page of six sections. */
function textOf(next: () => string): string {
  const sentence = (length: number) => Array.from({ length }, next).join(' ');
  return Array.from({ length: 6 }, () => `## ${sentence(2)}\n\n${sentence(wordsOfPage / 6 - 2)}.\n\n`).join('');
}

/** Ten queries in a row are seven of one word, two of two words, and one of the beginning of a word. */
function queryOf(number: number, next: () => string): string {
  const kind = number % 10;
  if (kind < 7) return next();
  return kind < 9 ? `${next()} ${next()}` : next().slice(0, 4);
}

/** Searches of one space. The reference chain answers with as many bytes. */
export const search: Scenario = throughputScenario({
  name: 'search-space',
  summary: `Search ${pageCount} pages: 70 % one word, 20 % two words, 10 % the beginning of a word`,
  goal: 0.3,
  perConnection: false,
  sameSize: true,
  async prepare(seed) {
    const next = createWriter();
    const { id } = await createSpace(seed, 'Pages that are searched', pageCount, () => textOf(next));
    return (): LoadRequest[] =>
      Array.from({ length: queries }, (_, number) => ({
        method: 'GET',
        path: `/v1/spaces/${id}/search?limit=10&query=${encodeURIComponent(queryOf(number, next))}`,
      }));
  },
});

/** Seconds that the first search of a space may take, for which its pages are read. */
const firstGoal = 1;

/** The first search of a space, which makes its index. */
export const firstSearch: Scenario = {
  name: 'search-first',
  summary: `The first search of a space of ${pageCount} pages, which reads all of them`,
  async run(context) {
    const { product, seed } = await context.product();
    const next = createWriter();
    const times: number[] = [];
    for (const round of ['first', 'second', 'third']) {
      const { id } = await createSpace(seed, `Pages of the ${round} round`, pageCount, () => textOf(next));
      const path = `/v1/spaces/${id}/search?limit=10&query=${encodeURIComponent(next())}`;
      times.push(...(await timeEach(product, [{ method: 'GET', path }])));
    }
    const slowest = Math.max(...times) / 1_000;
    const note = times.map((ms) => `${Math.round(ms)} ms`).join(', ');
    const goal = { goal: `<= ${firstGoal}`, met: slowest <= firstGoal };
    return [{ scenario: 'search-first', what: 'the slowest of three', value: slowest, unit: 's', ...goal, note }];
  },
};
