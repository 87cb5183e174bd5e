import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { changeContentOf } from '../../test/pages.js';
import { get, startRig, type Person, type Rig } from '../../test/rig.js';

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

type World = typeof world extends fc.Arbitrary<infer T> ? T : never;

/** More of them by `WORLDS=30`. */
const worlds = fc.sample(world, { seed, numRuns: Number(process.env['WORLDS'] ?? '') || 3 });

describe('links and search, for random callers in random spaces', () => {
  let rig: Rig;
  let callers: Person[];
  beforeAll(async () => {
    rig = await startRig();
    callers = [];
    for (const name of ['Ada', 'Bob', 'Cid']) callers.push(await rig.member(`${name} Guest`, null));
  }, 60_000);
  afterAll(() => rig.stop());

  const change = (space: string, changes: object[]) => changeContentOf(rig, space, changes);

  interface MadeSpace {
    id: string;
    pages: string[];
  }
  const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);

  const makeSpace = async (): Promise<MadeSpace> => {
    const made = await rig.send('POST', `/orgs/${rig.organization}/spaces`, {
      body: { editMode: 'live', empty: true },
    });
    const id = String(made.body['id']);
    const pages = numbers(pagesOfEach).map((n) => ({
      operation: 'insert_page',
      title: `P${n}`,
      document: { markdown: '' },
      ref: `p${n}`,
    }));
    const refs = await change(id, pages);
    return { id, pages: numbers(pagesOfEach).map((n) => refs[`p${n}`] ?? '') };
  };

  /** Spaces with pages that have a word and links, grants, and deletions. */
  const makeWorld = async ({ links, grants, deletedSpace, ...world }: World, word: string): Promise<MadeSpace[]> => {
    const spaces: MadeSpace[] = [];
    for (let number = 0; number < spaceCount; number += 1) spaces.push(await makeSpace());
    const addressOf = ({ to, target }: World['links'][number]) =>
      `/spaces/${spaces[to]?.id ?? ''}/pages/${spaces[to]?.pages[target] ?? ''}`;
    for (const [number, { id, pages }] of spaces.entries()) {
      const texts = pages.map((page, n) => {
        const own = links.filter((link) => link.from === number && link.page === n);
        const markdown = own.map((link) => `${word} [x](${addressOf(link)})`).join('\n\n');
        return { operation: 'update_page', page, document: { markdown } };
      });
      await change(id, texts);
      const users = callers.filter((_, n) => grants[n]?.[number] === true).map((caller) => caller.id);
      if (users.length > 0) await rig.send('POST', `/spaces/${id}/permissions`, { body: { role: 'read', users } });
      for (const [n, page] of pages.entries())
        if (isDeleted(world, number, n)) await change(id, [{ operation: 'delete_page', page }]);
    }
    const gone = spaces[deletedSpace];
    if (gone !== undefined) await rig.send('DELETE', `/spaces/${gone.id}`);
    return spaces;
  };
  const isDeleted = ({ deleted }: Pick<World, 'deleted'>, space: number, page: number) =>
    deleted.includes(space * pagesOfEach + page);

  it.each(worlds.map((one, index) => [index, one] as const))(
    'are what a reading of all pages tells, in world %i',
    async (index, world) => {
      // Words that differ by more than one letter, as a search tolerates that.
      const word = `world${String.fromCharCode(97 + (index % 26)).repeat(4 + 2 * Math.floor(index / 26))}`;
      const spaces = await makeWorld(world, word);
      const living = world.links.filter(({ from, page }) => !isDeleted(world, from, page));
      for (const [n, { token }] of [...callers, rig.owner].entries()) {
        const isOwner = n === callers.length;
        const mayView = (space: number) =>
          space !== world.deletedSpace && (isOwner || world.grants[n]?.[space] === true);
        for (const [number, { id }] of spaces.entries()) {
          const answer = await rig.send('GET', `/spaces/${id}/links?limit=1000`, { token });
          expect(answer.status).toBe(mayView(number) ? 200 : 404);
          if (!mayView(number)) continue;
          const expected = living
            .filter(({ from }) => from === number)
            .map(({ to, target }): [string, string] => [
              spaces[to]?.pages[target] ?? '',
              mayView(to) && !isDeleted(world, to, target) ? 'ok' : 'broken',
            ]);
          const found = get(answer.body, 'items') as { status: string; reference: { page: string } }[];
          expect(new Map(found.map(({ status, reference }) => [reference.page, status]))).toEqual(new Map(expected));
        }
        const { body } = await rig.send('GET', `/orgs/${rig.organization}/search?query=${word}`, { token });
        const found = get(body, 'items') as { id: string; pages: { id: string }[] }[];
        const having = (number: number) =>
          (spaces[number]?.pages ?? []).filter((_, p) =>
            living.some(({ from, page }) => from === number && page === p),
          );
        const wanted = numbers(spaceCount).filter((number) => mayView(number) && having(number).length > 0);
        expect(new Map(found.map(({ id, pages }) => [id, pages.map((one) => one.id).sort()]))).toEqual(
          new Map(wanted.map((number) => [spaces[number]?.id, having(number).sort()])),
        );
      }
    },
    60_000,
  );
});
