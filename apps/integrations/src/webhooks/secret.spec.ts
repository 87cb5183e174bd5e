import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { secretsOf, webhookSecret } from './secret.process.js';

const keys = { digest: (...parts: string[]) => createHash('sha256').update(parts.join('/')).digest() };
const rotatedAt = '2026-01-02T03:04:05.006Z';
const webhook = { _id: 'w', generation: 1, rotatedAt };

describe('what a webhook is signed with', () => {
  const [before, present] = [0, 1].map((generation) => webhookSecret(keys, 'w', generation).slice('whsec_'.length));
  const day = 24 * 3_600_000;

  it('is its secret, and for 24 hours after a rotation the one of before, too', () => {
    const time = Date.parse(rotatedAt);
    expect(secretsOf(keys, webhook, time + day - 1)).toEqual([present, before]);
    expect(secretsOf(keys, webhook, time + day)).toEqual([present]);
    expect(secretsOf(keys, { ...webhook, generation: 0, rotatedAt: null }, time)).toEqual([before]);
  });
});
