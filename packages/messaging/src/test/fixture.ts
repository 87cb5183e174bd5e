import { randomBytes } from 'node:crypto';
import { type NatsServer, type NatsServerOptions } from '@scriptorium/embedded/nats';
import { natsForTests, type TestServer } from '@scriptorium/embedded/test-servers';
import { connectMessaging, type Messaging, type MessagingLogger, type Service } from '../index.js';

/** One server, and the connections that a spec opened to it. */
export interface Fixture {
  readonly server: TestServer<NatsServer>;
  readonly namespace: string;
  readonly log: LogLine[];
  connect(name?: string): Promise<Messaging>;
  stop(): Promise<void>;
}

export interface LogLine {
  readonly level: string;
  readonly message: string;
  readonly fields: Record<string, unknown>;
}

/** Starts a server (or uses NATS_URL), with a new namespace. */
export async function startFixture(options: NatsServerOptions = {}): Promise<Fixture> {
  const server = await natsForTests(options);
  const namespace = `t${randomBytes(4).toString('hex')}`;
  const open: Messaging[] = [];
  const log: LogLine[] = [];
  return {
    server,
    namespace,
    log,
    async connect(name = 'spec') {
      const messaging = await connectMessaging({ url: server.url, name, namespace, logger: loggerTo(log) });
      open.push(messaging);
      return messaging;
    },
    async stop() {
      await Promise.all(open.map((messaging) => messaging.close()));
      await server.stop();
    },
  };
}

function loggerTo(log: LogLine[]): MessagingLogger {
  const at = (level: string) => (fields: object, message: string) =>
    void log.push({ level, message, fields: { ...fields } });
  return { info: at('info'), warn: at('warn'), error: at('error') };
}

/** A service that answers with the body of the request. */
export const echo: Service = { handle: ({ body }) => Promise.resolve({ body }) };

/** Milliseconds that exceed the timeout of every spec. */
export const FOREVER = 600_000;

/** Waits for a condition, at most `timeoutMs`. */
export async function until(condition: () => boolean, what: string, timeoutMs = 15_000): Promise<void> {
  const end = performance.now() + timeoutMs;
  while (!condition()) {
    if (performance.now() > end) throw new Error(`not reached in ${timeoutMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

export const bytes = (text: string) => Buffer.from(text, 'utf8');
export const text = (body: Uint8Array) => Buffer.from(body).toString('utf8');
