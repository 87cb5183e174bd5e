import { createHmac } from 'node:crypto';

/** The headers of Standard Webhooks for a body, which is signed with each secret. `seconds`: since the epoch. */
export function signatureHeaders(
  secrets: readonly string[],
  { id, seconds, body }: { id: string; seconds: number; body: Uint8Array },
): Record<string, string> {
  const signatures = secrets.map((secret) => {
    const hash = createHmac('sha256', Buffer.from(secret, 'base64'));
    return `v1,${hash.update(`${id}.${seconds}.`).update(body).digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': String(seconds), 'webhook-signature': signatures.join(' ') };
}
