import { AppError } from '@scriptorium/contracts';
import { afterEach, describe, expect, it } from '@jest/globals';
import { type Answers, type FakeNode, startFakeNode } from '../test/fake-node.js';
import { useWorld } from '../test/use-world.js';
import { fromClientError } from './client-errors.js';
import { type EventStore, openEventStore } from './event-store.js';
import { requireAccess, requireRelease } from './server-check.js';

const denied = 7;
const unauthenticated = 16;

let node: FakeNode | undefined;
let store: EventStore | undefined;
afterEach(async () => {
  await store?.close();
  await node?.stop();
});

const open = async (answers: Answers): Promise<EventStore> => {
  node = await startFakeNode(answers);
  return (store = openEventStore(node.url));
};

describe('the server of the log', () => {
  it.each(['24.2.0', '24.10.0', '25.0.1', '26.1.0-rc.1'])('may be of release %s', (version) => {
    expect(() => requireRelease(version)).not.toThrow();
  });

  it.each(['23.10.0.0', '24.1.9', '5.0.8', '22.10.4'])('may not be of release %s, which the error names', (version) => {
    expect(() => requireRelease(version)).toThrow(
      `EventStoreDB at EVENTSTORE_URL is version ${version}; version 24.2 or newer is needed`,
    );
  });

  it('is asked for its release', async () => {
    await expect((await open({ version: '23.10.1' })).requireServer()).rejects.toMatchObject({
      reason: 'unexpected',
      message: 'EventStoreDB at EVENTSTORE_URL is version 23.10.1; version 24.2 or newer is needed',
    });
  });

  it('that does not know the question is too old', async () => {
    await expect((await open({})).requireServer()).rejects.toMatchObject({
      reason: 'unexpected',
      message: expect.stringContaining('is of a version before 21.10; version 24.2'),
    });
  });

  it('is taken when it is new enough and lets the user read', async () => {
    await expect((await open({ version: '24.10.0' })).requireServer()).resolves.toBe('24.10.0');
  });

  it('may still be making its users', async () => {
    const making = await open({ version: '24.10.0', read: (n) => [unauthenticated, denied][n] ?? 0 });
    await expect(making.requireServer()).resolves.toBe('24.10.0');
  });

  it('that goes on denying access is told of by its reason, which is not that it is unavailable', async () => {
    const events = await open({ version: '24.10.0', read: (n) => (n % 2 === 0 ? denied : unauthenticated) });
    await expect(events.tail()).rejects.toMatchObject({
      reason: 'unexpected',
      message: 'EventStoreDB denies access: the user of EVENTSTORE_URL must be a member of $admins',
    });
    await expect(events.tail()).rejects.toMatchObject({
      reason: 'unexpected',
      message: 'EventStoreDB does not accept the user and password of EVENTSTORE_URL',
    });
    await expect(requireAccess(() => events.tail(), { patience: 300 })).rejects.toMatchObject({ reason: 'unexpected' });
  });

  it('is not waited for when the start is interrupted', async () => {
    const events = await open({ version: '24.10.0', read: () => denied });
    const began = performance.now();
    await expect(events.requireServer(AbortSignal.timeout(50))).rejects.toMatchObject({ reason: 'unexpected' });
    expect(performance.now() - began).toBeLessThan(5000);
  });

  it('that is away is not a refusal', async () => {
    const away = new AppError('unavailable');
    await expect(requireAccess(() => Promise.reject(away))).rejects.toBe(away);
    expect(fromClientError(new Error('gone'))).toMatchObject({ reason: 'unavailable' });
  });
});

describe('the start of a store', () => {
  const { world } = useWorld();

  it('ends with one line when the server is too old', async () => {
    node = await startFakeNode({ version: '23.10.1' });
    await expect(world.open({ eventstoreUrl: node.url }).start()).rejects.toMatchObject({
      reason: 'unexpected',
      message: expect.stringMatching(/^EventStoreDB at EVENTSTORE_URL is version 23\.10\.1; version 24\.2 .*$/),
    });
  });
});
