import { randomUUID } from 'node:crypto';
import { AppError, bootstrapInstallation, wireHeader } from '@scriptorium/contracts';
import { connectMessaging, type MessagingClient } from '@scriptorium/messaging';
import { setTimeout as delay } from 'node:timers/promises';
import type * as z from 'zod';
import type { BootstrapSettings } from '../settings.js';
import { StopError } from '../stop-error.js';
import { publicPart } from './new-token.js';

const tokenLabel = 'First token';
const retryMs = 250;

/** The first user and organization. */
export type Bootstrapped = z.output<typeof bootstrapInstallation.response>;

export interface BootstrapOptions {
  /** Milliseconds within which identity has to answer. */
  withinMs: number;
  signal?: AbortSignal;
}

/**
 * Creates the first user, organization and token of the installation behind `NATS_URL`. It waits until identity runs,
 * and can be repeated with the same token.
 * @returns undefined when the installation was bootstrapped with another token
 * @throws StopError when identity refuses, or does not answer in time
 */
export async function bootstrap(
  settings: BootstrapSettings,
  token: string,
  options: BootstrapOptions,
): Promise<Bootstrapped | undefined> {
  const { NATS_URL: url, NAMESPACE: namespace } = settings;
  const messaging = await connectMessaging({ url, name: 'cli', namespace, connectTimeoutMs: options.withinMs }).catch(
    (error: unknown) => {
      throw new StopError(`NATS_URL: ${(error as Error).message}`, error);
    },
  );
  try {
    return await ask(messaging.client(), settings, token, options);
  } finally {
    await messaging.close();
  }
}

async function ask(client: MessagingClient, settings: BootstrapSettings, token: string, options: BootstrapOptions) {
  const input: z.input<typeof bootstrapInstallation.input> = {
    user: { email: settings.FIRST_USER_EMAIL, displayName: settings.FIRST_USER_NAME },
    organization: { title: settings.FIRST_ORGANIZATION_TITLE },
    token: { ...publicPart(token), label: tokenLabel },
  };
  const end = performance.now() + options.withinMs;
  for (;;) {
    try {
      return await call(
        client,
        input,
        Math.min(bootstrapInstallation.deadlineMs, Math.max(end - performance.now(), 1)),
      );
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      // A `conflict` with details or a retry time is one of concurrent writers. The error of an installation that is
      // already claimed has neither.
      if (error.reason === 'conflict' && error.retryAfter === undefined) return undefined;
      const isTemporary = error.reason === 'unavailable' || error.reason === 'conflict';
      if (!isTemporary || performance.now() > end) throw refusal(error);
    }
    await delay(retryMs, undefined, options.signal === undefined ? {} : { signal: options.signal });
  }
}

async function call(client: MessagingClient, input: unknown, timeoutMs: number): Promise<Bootstrapped> {
  const answer = await client.request({
    service: bootstrapInstallation.service,
    operation: bootstrapInstallation.id,
    body: new TextEncoder().encode(JSON.stringify(input)),
    headers: { [wireHeader.requestId]: randomUUID() },
    timeoutMs,
  });
  return bootstrapInstallation.response.parse(JSON.parse(new TextDecoder().decode(answer.body)));
}

function refusal(error: AppError): StopError {
  const details = error.details.map(({ path, message }) => `${path}: ${message}`).join(', ');
  return new StopError(
    `the first user could not be created: ${error.message}${details === '' ? '' : ` (${details})`}`,
    error,
  );
}
