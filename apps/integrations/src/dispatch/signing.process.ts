import type { Keyring } from '@scriptorium/platform';
import { createHmac } from 'node:crypto';

/** Whose secret it is: of the integration, of an installation, or of a space or site of it. */
export interface Signer {
  owner: string;
  target?: string | undefined;
  /** How often the keys of the owner were rotated. */
  generation: number;
}

/** The secret with which somebody signs. It is stored nowhere: whoever has the keys of the installation can make it. */
export function signingSecret(keys: Pick<Keyring, 'digest'>, { owner, target = '', generation }: Signer): string {
  return keys.digest('integration-signing', owner, target, String(generation)).toString('base64');
}

/** The headers of Standard Webhooks for a body. `seconds`: since the epoch. */
export function signatureHeaders(
  secret: string,
  { id, seconds, body }: { id: string; seconds: number; body: Uint8Array },
): Record<string, string> {
  const signature = createHmac('sha256', Buffer.from(secret, 'base64'))
    .update(`${id}.${seconds}.`)
    .update(body)
    .digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': String(seconds), 'webhook-signature': `v1,${signature}` };
}
