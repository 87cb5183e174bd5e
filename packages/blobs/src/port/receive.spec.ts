import { describe, expect, it } from '@jest/globals';
import { Readable } from 'node:stream';
import { inPieces } from '../test/bytes.js';
import { HEAD_BYTES } from './limits.js';
import { type Draft, receive } from './receive.js';
import { within } from './within.js';

const options = () => ({ most: 1_000_000, deadline: Date.now() + 10_000 });

/** A draft that notes what it is asked, and fails where it is told to. */
function noting(failing?: keyof Draft): { draft: Draft; asked: string[] } {
  const asked: string[] = [];
  const note = (what: keyof Draft) => () => {
    asked.push(what);
    return what === failing ? Promise.reject(new Error(`${what} refused`)) : Promise.resolve();
  };
  return { draft: { append: note('append'), publish: note('publish'), discard: note('discard') }, asked };
}

describe('what is received', () => {
  it.each(['append', 'publish'] as const)('is discarded when the store fails to %s', async (failing) => {
    const { draft, asked } = noting(failing);
    const received = receive(inPieces(new Uint8Array(10)), options(), () => Promise.resolve(draft));
    await expect(received).rejects.toMatchObject({ code: 'store_failed', cause: { message: `${failing} refused` } });
    expect(asked.at(-1)).toBe('discard');
  });

  it('tells what failed first, also when it cannot be discarded', async () => {
    const { draft } = noting('discard');
    const cut = Readable.from(
      (function* () {
        yield new Uint8Array(3);
        throw new Error('cut');
      })(),
    ) as AsyncIterable<Uint8Array>;
    const received = receive(cut, options(), () => Promise.resolve(draft));
    await expect(received).rejects.toMatchObject({ code: 'interrupted', cause: { message: 'cut' } });
  });

  it('is not begun when the store cannot begin', async () => {
    const refused = () => Promise.reject(new Error('no folder'));
    const received = receive(inPieces(new Uint8Array(10)), options(), refused);
    await expect(received).rejects.toMatchObject({ code: 'store_failed', message: 'Beginning a blob: no folder' });
  });

  it('lets go of a source that it does not read to its end', async () => {
    const source = new Readable({ read: () => undefined });
    source.push(new Uint8Array(11));
    const received = receive(source, { ...options(), most: 10 }, () => Promise.resolve(noting().draft));
    await expect(received).rejects.toMatchObject({ code: 'too_large' });
    await within(new Promise((resolve) => source.once('close', resolve)), 1_000, () => new Error('still open'));
  });

  it('has a head of its own, of at most 64 KiB', async () => {
    const piece = new Uint8Array(50_000).fill(1);
    async function* reused(): AsyncGenerator<Uint8Array> {
      yield* inPieces(piece, 50_000);
      piece.fill(2);
      yield Buffer.from(piece.buffer);
    }
    const { head, size } = await receive(reused(), options(), () => Promise.resolve(noting().draft));
    expect(size).toBe(100_000);
    expect(head).toHaveLength(HEAD_BYTES);
    expect([head[49_999], head[50_000]]).toEqual([1, 2]);
  });
});
