import { describe, expect, it } from '@jest/globals';
import { slots } from './deliveries.operational.js';
import { plannedForWebhooks } from './receivers.js';
import { isForWebhook, webhookDelivery, webhookOf } from './webhook-deliveries.operational.js';

const webhook = {
  ...{ _id: 'w', organization: 'o', disabled: null, since: 10 },
  events: ['space_content_updated', 'site_removed'] as const,
};
const updated = { kind: 'content_updated', space: 's', revision: 'r' } as const;

describe('what is sent to webhooks', () => {
  it('is what they wish, since they wish it, unless they are disabled', () => {
    const planned = { webhook: 'w', organization: 'o' };
    expect(plannedForWebhooks(updated, 11, [webhook])).toEqual([
      { ...planned, type: 'space_content_updated', target: { kind: 'space', id: 's' }, revision: 'r' },
    ]);
    const target = { kind: 'site', id: 't' } as const;
    expect(plannedForWebhooks({ kind: 'place_removed', target }, 11, [webhook])).toEqual([
      { ...planned, type: 'site_removed', target, revision: null },
    ]);
    expect(plannedForWebhooks({ kind: 'place_added', target }, 11, [webhook])).toEqual([]);
    expect(plannedForWebhooks(updated, 10, [webhook])).toEqual([]);
    const disabled = { at: '2026-01-01T00:00:00.000Z', reason: 'admin' } as const;
    expect(plannedForWebhooks(updated, 11, [{ ...webhook, disabled }])).toEqual([]);
  });

  it('has a queue and a slot of its own, and the same id whenever it is planned', () => {
    const [planned] = plannedForWebhooks(updated, 11, [webhook]);
    if (planned === undefined) throw new Error('nothing was planned');
    const caused = { position: 11, happenedAt: '2026-01-02T03:04:05.006Z' };
    const [one, other] = [webhookDelivery(planned, caused, 1), webhookDelivery(planned, caused, 2)];
    expect([one._id, one.event]).toEqual([other._id, other.event]);
    expect([isForWebhook(one), webhookOf(one), one.createdAt]).toEqual([true, 'w', caused.happenedAt]);
    expect(one.slot).toBeGreaterThanOrEqual(slots);
  });
});
