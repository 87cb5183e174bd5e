import { AppError, bootstrapInstallation } from '@scriptorium/contracts';
import { startNatsServer, type NatsServer } from '@scriptorium/embedded/nats';
import { connectMessaging, type Messaging } from '@scriptorium/messaging';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bootstrap } from './installation-client.js';
import { newToken, publicPart } from './new-token.js';

let nats: NatsServer;
beforeAll(async () => {
  nats = await startNatsServer({ port: 0 });
});
afterAll(() => nats.stop());

const created = { user: { id: 'u1' }, organization: { id: 'o1' } };
let namespaces = 0;

/** A substitute for identity, in a new namespace. */
async function identity(answer: (input: unknown) => unknown) {
  const namespace = `boot${(namespaces += 1)}`;
  const asked: unknown[] = [];
  const messaging = await connectMessaging({ url: nats.url, name: 'identity', namespace });
  const settings = {
    NATS_URL: nats.url,
    NAMESPACE: namespace,
    FIRST_USER_EMAIL: 'ada@example.com',
    FIRST_USER_NAME: 'Ada',
    FIRST_ORGANIZATION_TITLE: 'Engines',
  };
  const serve = () =>
    messaging.serve('identity', {
      handle: (request) => {
        const input: unknown = bootstrapInstallation.input.parse(JSON.parse(Buffer.from(request.body).toString()));
        asked.push(input);
        return Promise.resolve().then(() => ({ body: Buffer.from(JSON.stringify(answer(input))) }));
      },
    });
  return { messaging, serve, settings, asked };
}

async function closing(messaging: Messaging, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } finally {
    await messaging.close();
  }
}

describe('bootstrap', () => {
  it('sends names and the hash of the token, never the token', async () => {
    const { messaging, serve, settings, asked } = await identity(() => created);
    await closing(messaging, async () => {
      await serve();
      const token = newToken();
      expect(await bootstrap(settings, token, { withinMs: 60_000 })).toEqual(created);
      expect(asked).toEqual([
        {
          user: { email: 'ada@example.com', displayName: 'Ada' },
          organization: { title: 'Engines' },
          token: { ...publicPart(token), label: 'First token' },
        },
      ]);
      expect(JSON.stringify(asked)).not.toContain(token);
    });
  });

  it('waits until identity is running', async () => {
    const { messaging, serve, settings } = await identity(() => created);
    await closing(messaging, async () => {
      const asking = bootstrap(settings, newToken(), { withinMs: 60_000 });
      await serve();
      expect(await asking).toEqual(created);
    });
  });

  it('reports that the installation already has its first user', async () => {
    const { messaging, serve, settings } = await identity(() => {
      throw new AppError('conflict');
    });
    await closing(messaging, async () => {
      await serve();
      expect(await bootstrap(settings, newToken(), { withinMs: 60_000 })).toBeUndefined();
    });
  });

  it('repeats the request with the same token after a conflict of two writers', async () => {
    let calls = 0;
    const { messaging, serve, settings, asked } = await identity(() => {
      calls += 1;
      if (calls === 1) throw new AppError('conflict', [], { retryAfter: 1 });
      return created;
    });
    await closing(messaging, async () => {
      await serve();
      expect(await bootstrap(settings, newToken(), { withinMs: 60_000 })).toEqual(created);
      expect(asked[0]).toEqual(asked[1]);
    });
  });

  it('ends with one line when identity refuses', async () => {
    const { messaging, serve, settings } = await identity(() => {
      throw new AppError('invalid_request', [{ path: 'organization.title', message: 'Too short' }], {
        message: 'The request is not valid',
      });
    });
    await closing(messaging, async () => {
      await serve();
      await expect(bootstrap(settings, newToken(), { withinMs: 60_000 })).rejects.toThrow(
        'the first user could not be created: The request is not valid (organization.title: Too short)',
      );
    });
  });

  it('ends with one line when identity does not answer in time', async () => {
    const { messaging, settings } = await identity(() => created);
    await closing(messaging, () =>
      expect(bootstrap(settings, newToken(), { withinMs: 300 })).rejects.toThrow(/could not be created/),
    );
  });

  it('names the variable when there is no NATS server', async () => {
    const settings = {
      NATS_URL: 'nats://127.0.0.1:1',
      NAMESPACE: 'none',
      FIRST_USER_EMAIL: 'ada@example.com',
      FIRST_USER_NAME: 'Ada',
      FIRST_ORGANIZATION_TITLE: 'Engines',
    };
    await expect(bootstrap(settings, newToken(), { withinMs: 300 })).rejects.toThrow(/^NATS_URL: /);
  });
});
