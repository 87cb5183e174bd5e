import { describe, expect, it, jest } from '@jest/globals';
import { Cursors } from './cursors.js';
import { parseKeyring } from '../process/keyring.js';
import { findPage } from './list.js';

const key = Buffer.alloc(32, 'k').toString('base64');
const cursors = new Cursors(parseKeyring(`k1:${key},reservation:${key}`));
const docs = ['a', 'b', 'c'].map((title) => ({ _id: title, title, _at: 1 }));
const binding = { operation: 'listThings', scope: {}, order: 'asc' } as const;

function modelOf(matches: number) {
  const count = jest.fn((_filter: object, limit?: number) => Promise.resolve(Math.min(matches, limit ?? matches)));
  const find = () => ({
    sort: () => ({ limit: (n: number) => ({ toArray: () => Promise.resolve(docs.slice(0, n)) }) }),
  });
  return { count, find };
}

const list = (model: ReturnType<typeof modelOf>, page?: string, total?: number) =>
  findPage(cursors, { model, filter: {}, sort: 'title', binding, total, request: { limit: 2, page } });

describe('the count of a list', () => {
  it('is computed for every page while it is small', async () => {
    const model = modelOf(10_000);
    const first = await list(model);
    expect(first).toMatchObject({ count: 10_000, items: docs.slice(0, 2) });
    expect(await list(model, first.next?.page)).toMatchObject({ count: 10_000 });
    expect(model.count).toHaveBeenCalledTimes(2);
  });

  it('is carried by the cursor when it is large', async () => {
    const model = modelOf(10_001);
    const first = await list(model);
    expect(first.count).toBe(10_001);
    model.count.mockClear();
    const second = await list(model, first.next?.page);
    expect(second.count).toBe(10_001);
    expect((await list(model, second.next?.page)).count).toBe(10_001);
    expect(model.count).not.toHaveBeenCalled();
  });

  it('is read from a stored total when there is one', async () => {
    const model = modelOf(3);
    const first = await list(model, undefined, 70_000);
    expect(first.count).toBe(70_000);
    expect((await list(model, first.next?.page, 70_001)).count).toBe(70_001);
    expect(model.count).not.toHaveBeenCalled();
  });
});
