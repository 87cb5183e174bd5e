import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { AppError, listNotifications, listOrganizationChanges, streamNews, wireHeader } from '@scriptorium/contracts';
import type { ServedRequest } from '@scriptorium/messaging';
import { openStream, type OpenStream } from '../test/event-stream.js';
import { announcer, jsonAnswer, sha256, startRig, textOf, until, type Rig } from '../test/rig.js';

const path = '/v1/orgs/o/changes';
const streams = { most: 1_000, mostOfToken: 100, heartbeatMs: 15_000, stallMs: 30_000 };

/** A list whose content a test sets. */
interface Served {
  cursors: number[];
  padding: string;
  requests: ServedRequest[];
  failing: AppError[];
}

describe('a list that is followed', () => {
  let rig: Rig;
  let served: Served;
  let token: string;
  let beats: { tell(users: string[]): void; stop(): void };
  const start = async (limits: Partial<typeof streams> = {}): Promise<void> => {
    rig = await startRig({ config: { streams: { ...streams, ...limits } } });
    served = { cursors: [], padding: '', requests: [], failing: [] };
    rig.stub.on[listOrganizationChanges.id] = (request) => pageFor(served, request);
    token = rig.issue();
    beats = announcer(rig.messaging, 'e1');
  };
  afterEach(async () => {
    beats.stop();
    await rig.stop();
  });

  const open = (query = '', headers = {}, by = token): Promise<OpenStream> =>
    openStream(rig.address, path + query, by, headers);
  const announce = (position: number, topic = 'o') =>
    rig.messaging.publish(streamNews, Buffer.from(JSON.stringify({ topics: [[topic, String(position)]] })));
  const add = (...cursors: number[]): void => {
    served.cursors.push(...cursors);
    announce(cursors.at(-1) ?? 0);
  };
  const cursorsIn = (stream: OpenStream) =>
    stream.messages().map((data) => Number((data as { cursor?: string }).cursor));
  const reasonIn = (stream: OpenStream) =>
    (stream.messages().at(-1) as { error?: { reason: string } } | undefined)?.error?.reason;

  describe('with high limits', () => {
    beforeEach(() => start());

    it('sends all items, and then each new one', async () => {
      served.cursors = Array.from({ length: 250 }, (_, i) => i + 1);
      const stream = await open();
      expect([stream.status, stream.headers['content-type'], stream.headers['cache-control']]).toEqual([
        200,
        'text/event-stream; charset=utf-8',
        'no-store, no-transform',
      ]);
      await until(() => cursorsIn(stream).length === 250, 'all items came');
      add(251, 252);
      await until(() => cursorsIn(stream).length === 252, 'new items came');
      expect(cursorsIn(stream)).toEqual(served.cursors);
      expect(stream.text()).toContain('id: 252\ndata: {"cursor":"252"');
      expect(served.requests.at(-1)?.headers[wireHeader.after]).toBe('252');
      stream.leave();
    });

    it('continues at Last-Event-ID, and sends cursors of invisible items', async () => {
      served.cursors = [1, 2, 3];
      const stream = await open('?after=1', { 'last-event-id': '2' });
      await until(() => cursorsIn(stream).length === 1, 'the third item came');
      expect(cursorsIn(stream)).toEqual([3]);
      served.cursors.push(-8);
      announce(8);
      await until(() => stream.text().includes('id: 8\n\n'), 'the cursor came');
      const { status, json } = await rig.call('GET', path, {
        headers: { accept: 'text/event-stream', 'last-event-id': 'x' },
      });
      expect([status, json.error.details[0]?.path]).toEqual([400, 'headers.last-event-id']);
      stream.leave();
    });

    it('of the caller begins where the operation says, and continues when something is announced about the caller', async () => {
      rig.stub.on[listNotifications.id] = (request) => pageFor(served, request);
      const own = '/v1/user/notifications';
      const user = [...rig.stub.principals.values()].find(({ token: { id } }) => token.includes(id))?.id ?? '';
      const begun = (request: ServedRequest | undefined) =>
        (JSON.parse(textOf(request?.body ?? Buffer.from('{}'))) as { query: { after?: string } }).query.after;
      const stream = await openStream(rig.address, own, token, {});
      const later = await openStream(rig.address, `${own}?after=7`, token, {});
      expect(served.requests.map(begun)).toEqual(['0', '7']);
      served.cursors.push(9);
      announce(9, user);
      await until(() => [stream, later].every((one) => cursorsIn(one).length === 1), 'both continue');
      stream.leave();
      later.leave();
    });

    it('is a page for clients that accept JSON, and errors are the same', async () => {
      served.cursors = [1];
      const { status, json, headers } = await rig.call('GET', path, { token });
      expect([status, json['items'], headers.get('content-type')]).toEqual([
        200,
        [{ cursor: '1', padding: '' }],
        'application/json; charset=utf-8',
      ]);
      served.failing = [new AppError('not_found')];
      const stream = await open();
      expect([stream.status, stream.headers['content-type']]).toEqual([404, 'application/json; charset=utf-8']);
      expect((await openStream(rig.address, path, 'nobody')).status).toBe(401);
      expect((await open('?limit=0')).status).toBe(400);
      await until(() => rig.gateway.streams() === 0, 'no stream is open');
    });

    it('ends with an error or at the end of the list, but not when a replica is unavailable for a moment', async () => {
      const [away, refused] = await Promise.all([open(), open()]);
      served.failing = [new AppError('unavailable')];
      add(1);
      await until(() => cursorsIn(away).includes(1) && cursorsIn(refused).includes(1), 'both continue');
      served.failing = [new AppError('forbidden'), new AppError('forbidden')];
      add(2);
      await until(() => away.isClosed() && refused.isClosed(), 'both have ended');
      expect([reasonIn(away), reasonIn(refused)]).toEqual(['forbidden', 'forbidden']);
      rig.stub.on[listOrganizationChanges.id] = () => jsonAnswer({ items: [] });
      const ended = await open();
      await until(() => ended.isClosed(), 'it has ended');
      expect(ended.text()).toContain('event: end\ndata: {}\n\n');
    });

    it('ends as soon as the revocation of its token is announced', async () => {
      const [stream, other] = [await open(), await open('', {}, rig.issue())];
      const user = [...rig.stub.principals.values()].find(({ token: { id } }) => token.includes(id))?.id ?? '';
      rig.stub.principals.delete(sha256(token));
      beats.tell([user]);
      await until(() => stream.isClosed(), 'the stream has ended');
      expect(reasonIn(stream)).toBe('unauthenticated');
      expect(other.isClosed()).toBe(false);
      other.leave();
    });

    it('ends with a last message when the gateway stops', async () => {
      const readers = await Promise.all([open(), open(), open()]);
      await rig.gateway.stop();
      await until(() => readers.every((reader) => reader.isClosed()), 'all have ended');
      expect(readers.map(reasonIn)).toEqual(['unavailable', 'unavailable', 'unavailable']);
    });
  });

  it('sends heartbeats, and finds items that were not announced', async () => {
    await start({ heartbeatMs: 100 });
    const stream = await open();
    await until(() => stream.text().split(':\n\n').length > 2, 'heartbeats come');
    served.cursors = [1];
    await until(() => cursorsIn(stream).length === 1, 'the item is found');
    stream.leave();
  });

  it('is limited in number by token and in total, until a client leaves', async () => {
    await start({ most: 3, mostOfToken: 2 });
    const [first] = [await open(), await open()];
    const refused = await open();
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '15']);
    await open('', {}, rig.issue());
    expect((await open('', {}, rig.issue())).status).toBe(503);
    first?.leave();
    await until(async () => (await open()).status === 200, 'a stream can be opened again');
  });

  it('reads no pages for a client that does not read, and disconnects it', async () => {
    await start({ stallMs: 300 });
    served.padding = 'x'.repeat(10_000);
    served.cursors = Array.from({ length: 100_000 }, (_, i) => i + 1);
    const stream = await open();
    stream.stall();
    // Pages are read only until the buffers of the connection are full.
    let asked = -1;
    await until(() => asked === (asked = served.requests.length), 'no more pages are read');
    await until(() => rig.gateway.streams() === 0, 'the client was disconnected');
    expect(served.requests.length).toBeLessThan(20);
    stream.leave();
  });
});

/** Items behind the cursor, 100 at a time; negative ones are invisible. */
function pageFor({ cursors, padding, requests, failing }: Served, request: ServedRequest) {
  requests.push(request);
  const refusal = failing.shift();
  if (refusal !== undefined) throw refusal;
  const { query } = JSON.parse(textOf(request.body)) as { query: { after?: string } };
  const behind = cursors.filter((cursor) => Math.abs(cursor) > Number(query.after ?? 0));
  const page = behind.slice(0, 100);
  const items = page.filter((cursor) => cursor > 0).map((cursor) => ({ cursor: String(cursor), padding }));
  return jsonAnswer({
    items,
    more: behind.length > 100,
    next: { page: String(Math.abs(page.at(-1) ?? Number(query.after ?? 0))) },
  });
}
