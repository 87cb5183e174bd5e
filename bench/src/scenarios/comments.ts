import { inTurns, numbersTo, type Seed } from '../product/seed.js';
import { createSpace, createSpaces } from './library.js';
import { throughputScenario, type Line } from './line.js';
import type { Scenario } from './scenario.js';

const spaceCount = 50;
const pageBytes = 1024;

const postComment = ({ client }: Seed, space: string, text: string) =>
  client.postCommentInSpace({ params: { spaceId: space }, body: { body: { markdown: text } } });

const lines: readonly Line[] = [
  {
    name: 'list-comments',
    summary: 'GET a list of 50 comments',
    goal: 0.45,
    perConnection: false,
    sameSize: true,
    async prepare(seed) {
      const { id } = await createSpace(seed, 'With comments', 1, pageBytes);
      await inTurns(numbersTo(100), (number) => postComment(seed, id, `Comment **${number}**: is this still true?`));
      return () => [{ method: 'GET', path: `/v1/spaces/${id}/comments?limit=50` }];
    },
  },
  {
    name: 'post-comment',
    summary: 'Post a comment: durable, and read by its writer',
    goal: 0.2,
    perConnection: true,
    sameSize: true,
    async prepare(seed) {
      const spaces = await createSpaces(seed, spaceCount, pageBytes);
      return (run) =>
        spaces.map(({ id }) => ({
          method: 'POST',
          path: `/v1/spaces/${id}/comments`,
          body: JSON.stringify({ body: { markdown: `Comment ${run} {n}: is this still true?` } }),
        }));
    },
  },
];

/** Reads and writes of comments. */
export const comments: readonly Scenario[] = lines.map(throughputScenario);
