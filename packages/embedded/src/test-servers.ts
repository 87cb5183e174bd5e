import { randomCredentials } from './authentication.js';
import { type EventStoreServer, type EventStoreServerOptions, startEventStoreServer } from './eventstore/index.js';
import { type MongoServer, type MongoServerOptions, startMongoServer } from './mongodb/index.js';
import { type NatsServer, type NatsServerOptions, startNatsServer } from './nats/index.js';

/** Of all servers of this process: one that is stopped and started again is found by its clients under the same URL. */
const auth = randomCredentials();

/** What specs talk to: the server that the environment names, or one that is started for them. */
export interface TestServer<Server> {
  readonly url: string;
  /** The environment named it: others use it as well, and nobody wipes it. */
  readonly given: boolean;
  /** The server that was started. @throws when it was given instead */
  ours(): Server;
  /** Leaves a given one running. */
  stop(): Promise<void>;
}

/** The server of `EVENTSTORE_URL`, or one with these options. */
export function eventStoreForTests(options: EventStoreServerOptions = {}): Promise<TestServer<EventStoreServer>> {
  return givenOr('EVENTSTORE_URL', () => startEventStoreServer({ auth, ...options }));
}

/** The server of `MONGODB_URL`, or one with these options. */
export function mongoForTests(options: MongoServerOptions = {}): Promise<TestServer<MongoServer>> {
  return givenOr('MONGODB_URL', () => startMongoServer({ auth, ...options }));
}

/** The server of `NATS_URL`, or one with these options. */
export function natsForTests(options: NatsServerOptions = {}): Promise<TestServer<NatsServer>> {
  return givenOr('NATS_URL', () => startNatsServer({ auth, ...options }));
}

async function givenOr<Server extends { readonly url: string; stop(): Promise<void> }>(
  variable: string,
  start: () => Promise<Server>,
): Promise<TestServer<Server>> {
  const url = process.env[variable] ?? '';
  if (url === '') {
    const server = await start();
    return { url: server.url, given: false, ours: () => server, stop: () => server.stop() };
  }
  const ours = (): never => {
    throw new Error(`${variable} names a server that is not for this spec alone`);
  };
  return { url, given: true, ours, stop: () => Promise.resolve() };
}
