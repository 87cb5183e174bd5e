import { describe, expect, it } from '@jest/globals';
import { readQuery } from './answers.js';
import { mostValues, pageOf } from './paged.js';
import { groupKind, userKind, type Fields, type ResourceKind } from './resource.js';

interface List {
  totalResults: number;
  itemsPerPage: number;
  Resources: Fields[];
}

/** Resources that are read from a list, and the most that were read at once. */
function stored(kind: ResourceKind, all: readonly Fields[]) {
  const byId = new Map(all.map((each) => [String(each['id']), each]));
  let most = 0;
  const read = (ids: readonly string[]): Promise<Fields[]> => {
    most = Math.max(most, ids.length);
    return Promise.resolve(ids.flatMap((id): Fields[] => [byId.get(id)].filter((each) => each !== undefined)));
  };
  const page = async (query: Record<string, string>): Promise<List> => {
    const reading = { read, atOnce: 20 };
    const { body } = await pageOf(kind, [...byId.keys()], readQuery(query), { compared: reading, shown: reading });
    return body as List;
  };
  return { page, most: () => most };
}

/** All pages of a list, as a client asks for them. */
async function allPages(page: (query: Record<string, string>) => Promise<List>, query: Record<string, string>) {
  const pages: List[] = [];
  for (let next = 1; ;) {
    const list = await page({ ...query, startIndex: String(next) });
    if (list.itemsPerPage === 0) return pages;
    pages.push(list);
    next += list.itemsPerPage;
  }
}

const idsOf = (pages: readonly List[]) => pages.flatMap(({ Resources }) => Resources.map(({ id }) => id));

describe('a page of a list', () => {
  const people = Array.from({ length: 10_000 }, (_, i) => ({ id: `u${i}`, userName: `u${i}`, active: i % 2 === 0 }));

  it('has at most 200 of 10,000 users, which are read a few at a time', async () => {
    const { page, most } = stored(userKind, people);
    expect(await page({ count: '10000' })).toMatchObject({ totalResults: 10_000, itemsPerPage: 200 });
    expect(idsOf(await allPages(page, { count: '200' }))).toEqual(people.map(({ id }) => id));
    expect(most()).toBe(20);
  });

  it('counts what meets the filter, and begins where it is asked to', async () => {
    const { page } = stored(userKind, people);
    const list = await page({ filter: 'active eq false', startIndex: '4999', count: '5' });
    expect([list.totalResults, idsOf([list])]).toEqual([5_000, ['u9997', 'u9999']]);
    expect(await page({ filter: 'userName eq "u7"' })).toMatchObject({ totalResults: 1, Resources: [{ id: 'u7' }] });
    expect(await page({ count: '0' })).toMatchObject({ totalResults: 10_000, Resources: [] });
  });

  it('ends early where groups have many members, and the next one begins there', async () => {
    const members = Array.from({ length: 5_000 }, (_, i) => ({ value: `u${i}` }));
    const huge = Array.from({ length: mostValues + 1 }, (_, i) => ({ value: `u${i}` }));
    const groups = Array.from({ length: 30 }, (_, i) => ({ id: `g${i}`, members: i === 4 ? huge : members }));
    const { page } = stored(groupKind, groups);
    const pages = await allPages(page, { filter: 'members pr' });
    expect(idsOf(pages)).toEqual(groups.map(({ id }) => id));
    expect(pages.slice(0, 4).map(({ itemsPerPage }) => itemsPerPage)).toEqual([3, 1, 1, 3]);
    expect(pages.every(({ totalResults }) => totalResults === 30)).toBe(true);
  });
});
