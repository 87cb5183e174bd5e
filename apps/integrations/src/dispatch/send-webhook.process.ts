import { AppError, webhookBounds } from '@scriptorium/contracts';
import type { Outbound, ServiceContext } from '@scriptorium/platform';
import { secretsOf, type StoredWebhook } from '../webhooks/index.js';
import { signatureHeaders } from '../sealed/index.js';
import type { AttemptRecord } from './traces.operational.js';

/** What is sent to a webhook. */
export interface WebhookMessage {
  /** The same at each attempt. */
  id: string;
  type: string;
  /** When it happened, ISO 8601. */
  timestamp: string;
  data: object;
  /** The replay that has sent it. */
  delivery?: { replay: string };
}

/** With what is sent. */
export type SendingContext = Pick<ServiceContext, 'keys' | 'now'> & { outbound: Pick<Outbound, 'fetch'> };

const withinMs = 15_000;

/** Sends something to a webhook once, signed with its secrets, and waits for the answer; how that ended. */
export async function sendWebhook(
  { outbound, keys, now }: SendingContext,
  { webhook, url }: { webhook: StoredWebhook; url: string },
  { id, ...message }: WebhookMessage,
): Promise<AttemptRecord> {
  const began = now();
  const body = Buffer.from(JSON.stringify(message));
  const seconds = Math.floor(began / 1000);
  const signed = signatureHeaders(secretsOf(keys, webhook, began), { id, seconds, body });
  const ended = (how: Pick<AttemptRecord, 'status' | 'reason' | 'answer'>): AttemptRecord => {
    return { at: new Date(began).toISOString(), durationMs: now() - began, trace: null, ...how };
  };
  try {
    const { status, body: answer } = await outbound.fetch({
      url,
      field: 'url',
      method: 'POST',
      headers: { ...signed, 'content-type': 'application/json' },
      body,
      maxBytes: webhookBounds.answerBytes,
      cuts: true,
      withinMs,
      redirects: 0,
    });
    return ended({ status, reason: null, answer: answer.toString('utf8') });
  } catch (error) {
    // Too much is under way in this process, which says nothing about the receiver.
    if (!(error instanceof AppError) || error.reason === 'unavailable') throw error;
    // Messages of the way out name no address.
    const reason = error.details[0]?.message ?? error.message;
    return ended({ status: null, reason });
  }
}
