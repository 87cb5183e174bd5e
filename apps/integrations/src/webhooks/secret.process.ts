import { signingSecret, type Keyring } from '@scriptorium/platform';
import type { StoredWebhook } from './webhooks.queries.js';

/** How long the secret of before counts after a rotation, ms. */
const countsForMs = 24 * 3_600_000;

/** The secret of a webhook, as Standard Webhooks writes one. */
export function webhookSecret(keys: Pick<Keyring, 'digest'>, webhook: string, generation: number): string {
  return `whsec_${signingSecret(keys, { owner: `webhook-${webhook}`, generation })}`;
}

/** The secrets that sign what is sent now, the present one first. */
export function secretsOf(
  keys: Pick<Keyring, 'digest'>,
  { _id, generation, rotatedAt }: Pick<StoredWebhook, '_id' | 'generation' | 'rotatedAt'>,
  now: number,
): string[] {
  const isBeforeGood = rotatedAt !== null && now < Date.parse(rotatedAt) + countsForMs;
  const generations = isBeforeGood ? [generation, generation - 1] : [generation];
  return generations.map((one) => signingSecret(keys, { owner: `webhook-${_id}`, generation: one }));
}
