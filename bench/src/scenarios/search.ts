import type { LoadRequest } from '../load/model.js';
import { timeEach } from '../load/one-at-a-time.js';
import { createSpace } from './library.js';
import { throughputScenario } from './line.js';
import type { Scenario } from './scenario.js';
import { createWriter, queryOf, textOf } from './searched-text.js';

const pageCount = 1_000;
const queries = 200;

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
