import { randomUUID } from 'node:crypto';
import {
  type EventStoreDBClient,
  jsonEvent,
  type JSONEventData,
  type JSONEventType,
  type ResolvedEvent,
} from '@eventstore/db-client';
import { startEventStoreServer } from '../server.js';
import { connectTo } from './connect.js';

export interface ServerUnderTest {
  readonly client: EventStoreDBClient;
  readonly url: string;
  /** A stream name nobody else uses, so that a real server need not be wiped. */
  stream(prefix?: string): string;
  stop(): Promise<void>;
}

/** The embedded server, or the real one that `CONFORMANCE_EVENTSTORE_URL` names. */
export async function serverUnderTest(): Promise<ServerUnderTest> {
  const given = process.env['CONFORMANCE_EVENTSTORE_URL'];
  const server = given === undefined || given === '' ? await startEventStoreServer() : undefined;
  const url = server?.url ?? given ?? '';
  const client = connectTo(url);
  return {
    client,
    url,
    stream: (prefix = 'conformance') => `${prefix}-${randomUUID()}`,
    stop: async () => {
      await client.dispose();
      await server?.stop();
    },
  };
}

export type Counted = JSONEventType<'Counted', { n: number }, { by: string }>;

export function counted(n: number, id?: string): JSONEventData<Counted> {
  return jsonEvent<Counted>({
    type: 'Counted',
    data: { n },
    metadata: { by: 'test' },
    ...(id === undefined ? {} : { id }),
  });
}

/** Events `from` to `to`, inclusive. */
export function range(from: number, to: number): JSONEventData<Counted>[] {
  return Array.from({ length: to - from + 1 }, (_, i) => counted(from + i));
}

export async function collect<T>(events: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const event of events) all.push(event);
  return all;
}

export async function revisions(events: AsyncIterable<ResolvedEvent>): Promise<number[]> {
  return (await collect(events)).map(({ event }) => Number(event?.revision));
}

/** What an attempt failed with. @throws when it did not fail */
export async function failure(attempt: Promise<unknown>): Promise<Record<string, unknown>> {
  const outcome = await attempt.then(
    () => undefined,
    (error: unknown) => error as Record<string, unknown>,
  );
  if (outcome === undefined) throw new Error('it did not fail');
  return outcome;
}

/** Waits until `done` is true. @throws after `ms` */
export async function until(done: () => boolean | Promise<boolean>, ms = 20_000): Promise<void> {
  const end = Date.now() + ms;
  while (!(await done())) {
    if (Date.now() > end) throw new Error('it did not happen in time');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
