import { describe, expect, it } from '@jest/globals';
import { createBatchLoader } from './read-model.js';

describe('loads by id', () => {
  it('go on when all commands that may run at once are stuck, and are `unavailable` to callers of these', async () => {
    const commands: (readonly string[])[] = [];
    const load = createBatchLoader((ids): Promise<{ _id: string }[]> => {
      commands.push(ids);
      return ids[0]?.startsWith('stuck') === true
        ? new Promise(() => undefined)
        : Promise.resolve(ids.map((_id) => ({ _id })));
    }, 50);
    const nextTurn = () => new Promise((resolve) => setImmediate(resolve));
    const stuck = [];
    for (const id of ['stuck1', 'stuck2']) {
      stuck.push(load(id));
      await nextTurn();
    }
    const late = load('x');
    await nextTurn();
    expect(commands).toEqual([['stuck1'], ['stuck2']]);
    for (const one of stuck) await expect(one).rejects.toMatchObject({ reason: 'unavailable' });
    await expect(late).resolves.toEqual({ _id: 'x' });
  });
});
