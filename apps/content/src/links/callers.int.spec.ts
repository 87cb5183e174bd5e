import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { startRig, type Person, type Rig } from '../test/rig.js';

const seed = Number(process.env['SEED'] ?? '') || 1;
const spaceCount = 4;
const pagesOfEach = 3;

/** Spaces whose pages link to pages of any of them, some of which are deleted, and who may view which. */
const world = fc.record({
  links: fc.array(
    fc.record({
      from: fc.nat({ max: spaceCount - 1 }),
      page: fc.nat({ max: pagesOfEach - 1 }),
      to: fc.nat({ max: spaceCount - 1 }),
      target: fc.nat({ max: pagesOfEach - 1 }),
    }),
    { minLength: 12, maxLength: 24 },
  ),
  deleted: fc.uniqueArray(fc.nat({ max: spaceCount * pagesOfEach - 1 }), { maxLength: 3 }),
  deletedSpace: fc.nat({ max: spaceCount }),
  grants: fc.array(fc.array(fc.boolean(), { minLength: spaceCount, maxLength: spaceCount }), {
    minLength: 3,
    maxLength: 3,
  }),
});

const worlds = fc.sample(world, { seed, numRuns: 3 });

describe('links and search, for random callers in random spaces', () => {
  let rig: Rig;
  let callers: Person[];
  beforeAll(async () => {
    rig = await startRig({ RATE_LIMIT_CONTENT_WRITE: '0', RATE_LIMIT_SEARCH: '0' });
    callers = [];
    for (const name of ['Ada', 'Bob', 'Cid']) callers.push(await rig.member(`${name} Guest`, null));
  }, 60_000);
  afterAll(() => rig.stop());

  const change = async (space: string, changes: object[]) => {
    const answer = await rig.send('POST', `/spaces/${space}/content`, { body: { changes } });
    expect(answer.status).toBe(200);
    return answer.body['refs'] as Record<string, string>;
  };

  it.each(worlds.map((one, index) => [index, one] as const))(
    'are what a reading of all pages tells, in world %i',
    async (index, { links, deleted, deletedSpace, grants }) => {
      const word = ['zebra', 'giraffe', 'mammoth'][index] ?? '';
      const spaces: { id: string; pages: string[] }[] = [];
      for (let number = 0; number < spaceCount; number += 1) {
        const made = await rig.send('POST', `/orgs/${rig.organization}/spaces`, {
          body: { editMode: 'live', empty: true, title: `S${number}` },
        });
        const id = String(made.body['id']);
        const changes = Array.from({ length: pagesOfEach }, (_, n) => ({
          operation: 'insert_page',
          title: `P${n}`,
          document: { markdown: '' },
          ref: `p${n}`,
        }));
        const refs = await change(id, changes);
        spaces.push({ id, pages: Array.from({ length: pagesOfEach }, (_, n) => refs[`p${n}`] ?? '') });
      }
      for (const [number, { id, pages }] of spaces.entries())
        for (const [n, page] of pages.entries()) {
          const own = links.filter((link) => link.from === number && link.page === n);
          const markdown = own
            .map(
              ({ to, target }) =>
                `${word} [x](/spaces/${spaces[to]?.id ?? ''}/pages/${spaces[to]?.pages[target] ?? ''})`,
            )
            .join('\n\n');
          await change(id, [{ operation: 'update_page', page, document: { markdown } }]);
        }
      for (const [n, caller] of callers.entries())
        for (const [number, { id }] of spaces.entries())
          if (grants[n]?.[number] === true)
            await rig.send('POST', `/spaces/${id}/permissions`, { body: { role: 'read', users: [caller.id] } });
      const isDeleted = (space: number, page: number) => deleted.includes(space * pagesOfEach + page);
      for (const [number, { id, pages }] of spaces.entries())
        for (const [n, page] of pages.entries())
          if (isDeleted(number, n)) await change(id, [{ operation: 'delete_page', page }]);
      const gone = spaces[deletedSpace];
      if (gone !== undefined) await rig.send('DELETE', `/spaces/${gone.id}`);

      for (const [n, caller] of [...callers, rig.owner].entries()) {
        const mayView = (space: number) =>
          space !== deletedSpace && (n === callers.length || grants[n]?.[space] === true);
        const living = links.filter(({ from, page }) => !isDeleted(from, page));
        for (const [number, { id }] of spaces.entries()) {
          const answer = await rig.send('GET', `/spaces/${id}/links?limit=1000`, { token: caller.token });
          expect(answer.status).toBe(mayView(number) ? 200 : 404);
          if (!mayView(number)) continue;
          const expected = new Map(
            living
              .filter(({ from }) => from === number)
              .map(({ to, target }) => [
                spaces[to]?.pages[target] ?? '',
                mayView(to) && !isDeleted(to, target) ? 'ok' : 'broken',
              ]),
          );
          const found = answer.body.items as unknown as { status: string; reference: { page: string } }[];
          expect(new Map(found.map(({ status, reference }) => [reference.page, status]))).toEqual(expected);
        }
        const { body } = await rig.send('GET', `/orgs/${rig.organization}/search?query=${word}`, {
          token: caller.token,
        });
        const found = body.items as unknown as { id: string; pages: { id: string }[] }[];
        const wanted = spaces.flatMap(({ id, pages }, number) => {
          const having = pages.filter((_, p) => living.some(({ from, page }) => from === number && page === p));
          return mayView(number) && having.length > 0 ? [[id, having.sort()]] : [];
        });
        expect(Object.fromEntries(found.map(({ id, pages }) => [id, pages.map((one) => one.id).sort()]))).toEqual(
          Object.fromEntries(wanted) as object,
        );
      }
    },
    60_000,
  );
});
