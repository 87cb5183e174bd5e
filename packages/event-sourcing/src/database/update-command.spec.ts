import { describe, expect, it } from '@jest/globals';
import { type UpdateStatement, update } from './database.js';

const newer = 11000;

/**
 * A server that knows only ids, some of which it refuses with a code; it goes on behind an error, or stops there
 * without saying where.
 */
function serverThat(way: 'goes on' | 'stops', codes: Readonly<Record<string, number>>) {
  const written: string[] = [];
  const commands: string[][] = [];
  const command = ({ updates }: { updates: UpdateStatement[] }) => {
    const ids = updates.map(({ q }) => String(q['_id']));
    commands.push(ids);
    const writeErrors: { index: number; code: number; errmsg: string }[] = [];
    let n = 0;
    for (const [index, id] of ids.entries()) {
      const code = codes[id];
      if (code === undefined) {
        n += 1;
        written.push(id);
        continue;
      }
      writeErrors.push({ index: way === 'stops' ? 0 : index, code, errmsg: 'no' });
      if (way === 'stops') return Promise.resolve({ ok: 1, writeErrors });
    }
    return Promise.resolve({ ok: 1, n, ...(writeErrors.length > 0 ? { writeErrors } : {}) });
  };
  return { db: { command }, written, commands };
}

const of = (...ids: string[]): UpdateStatement[] => ids.map((_id) => ({ q: { _id }, u: {}, upsert: true }));

describe('an update of many documents', () => {
  it('is one command as long as all is well, and where the server goes on behind what is newer already', async () => {
    const { db, written, commands } = serverThat('goes on', { b: newer });
    await update(db, 'things', of('a', 'b', 'c'));
    expect([written, commands.length]).toEqual([['a', 'c'], 1]);
  });

  it('leaves nothing out where the server stops at what is newer already', async () => {
    const { db, written } = serverThat('stops', { b: newer, d: newer });
    await update(db, 'things', of('a', 'b', 'c', 'd', 'e'));
    expect(new Set(written)).toEqual(new Set(['a', 'c', 'e']));
  });

  it.each(['goes on', 'stops'] as const)('says what is refused where the server %s', async (way) => {
    const { db } = serverThat(way, { b: 17419 });
    await expect(update(db, 'things', of('a', 'b', 'c'))).rejects.toMatchObject({
      reason: 'unexpected',
      message: 'things refuses a document (17419: no)',
    });
  });
});
