import { describe, expect, it } from '@jest/globals';
import { createTurn, decodeMessageBatch, encodeMessageBatch, type Entry } from './batch.js';
import { bytes, text } from './test/fixture.js';

const entry = (token: string, more: Partial<Entry> = {}): Entry => ({
  token,
  operation: 'listTeams',
  own: {},
  headers: {},
  body: bytes(''),
  ...more,
});

describe('several requests in one message', () => {
  it('arrive as they were sent', () => {
    const headers = { principal: '{"id":"ü1"}', note: ' two\r\nlines 100% ', constructor: 'x' };
    const sent = [
      entry('1a', { own: { 'Rpc-Deadline': '5' }, headers, body: bytes('a\nb') }),
      entry('1b'),
      entry('1c', { operation: '', body: bytes('ü') }),
    ];
    const arrived = decodeMessageBatch(encodeMessageBatch(sent)) ?? [];
    expect(arrived.map(({ body, ...rest }) => ({ ...rest, body: text(body) }))).toEqual(
      sent.map(({ body, ...rest }) => ({ ...rest, body: text(body) })),
    );
    expect('toString' in (arrived[0]?.headers ?? {})).toBe(false);
  });

  it('lose headers of the caller that have names of the protocol', () => {
    const [arrived] =
      decodeMessageBatch(encodeMessageBatch([entry('a', { headers: { 'Rpc-Error': 'forged', note: 'x' } })])) ?? [];
    expect({ ...arrived?.headers }).toEqual({ note: 'x' });
  });

  it.each([
    ['nothing', ''],
    ['no line', 'x'],
    ['no JSON', '[\n'],
    ['no list', '{}\n'],
    ['an entry that is no list', '[1]\n'],
    ['a token that is none', '[["a.b","get",{},{},0]]\n'],
    ['no operation', '[["a",1,{},{},0]]\n'],
    ['a header that is no text', '[["a","get",{},{"x":1},0]]\n'],
    ['headers that are no object', '[["a","get",null,{},0]]\n'],
    ['a negative length', '[["a","get",{},{},-1]]\n'],
    ['half a byte', '[["a","get",{},{},0.5]]\nx'],
    ['more than there is', '[["a","get",{},{},5]]\nx'],
    ['more than is described', '[["a","get",{},{},1]]\nxy'],
    ['too many', `${JSON.stringify(Array(65).fill(['a', 'get', {}, {}, 0]))}\n`],
  ])('with %s are refused whole', (_, message) => {
    expect(decodeMessageBatch(bytes(message))).toBeUndefined();
  });
});

const nextTurn = () => new Promise<void>((resolve) => void setImmediate(resolve));

describe('messages of one turn of the event loop', () => {
  const recorded = () => {
    const turn = createTurn();
    const sent: string[] = [];
    const gathered = turn.gather<{ to: string; n: number }>((items) => {
      sent.push(`${items[0]?.to}: ${items.map(({ n }) => n).join()}`);
    });
    return { turn, sent, add: (n: number, to = 'a') => gathered({ to, n }) };
  };

  it('are sent at its end as one batch to each receiver, in order', async () => {
    const { sent, add } = recorded();
    for (const n of [1, 2, 3]) add(n);
    add(4, 'b');
    add(5);
    await Promise.resolve();
    expect(sent).toEqual([]);
    await nextTurn();
    expect(sent).toEqual(['a: 1,2,3,5', 'b: 4']);
    add(6);
    await nextTurn();
    expect(sent.slice(2)).toEqual(['a: 6']);
  });

  it('are sent earlier when there are many, so that the receiver can begin', async () => {
    const { sent, add } = recorded();
    for (let n = 0; n < 40; n += 1) add(n);
    expect(sent.map((messageBatch) => messageBatch.split(',').length)).toEqual([16, 16]);
    await nextTurn();
    expect(sent.map((messageBatch) => messageBatch.split(',').length)).toEqual([16, 16, 8]);
  });

  it('are sent at once before a connection is drained or closed', () => {
    const { turn, sent, add } = recorded();
    add(1);
    turn.end();
    expect(sent).toEqual(['a: 1']);
  });
});
