import { webhookBounds } from '@scriptorium/contracts';
import { given } from '@scriptorium/event-sourcing/testing';
import { describe, it } from '@jest/globals';
import type { NewWebhook, WebhookEvent } from './webhook.events.js';
import { change, close, create, disable, remove, rotate, webhooksOf } from './webhook.js';

const made: NewWebhook = { webhook: 'w', name: null, address: 'a', events: ['space_added'] };
const created = (more: Partial<NewWebhook> = {}): WebhookEvent => ({
  type: 'WebhookCreated',
  data: { ...made, ...more },
});
const disabled: WebhookEvent = { type: 'WebhookDisabled', data: { webhook: 'w', reason: 'failures' } };
const rotated = (generation: number): WebhookEvent => ({
  type: 'WebhookSecretRotated',
  data: { webhook: 'w', generation },
});
const deleted = (reason: 'deleted' | 'organization_deleted'): WebhookEvent => ({
  type: 'WebhookDeleted',
  data: { webhook: 'w', reason },
});
const closed: WebhookEvent = { type: 'WebhooksClosed', data: {} };

describe('the webhooks of an organization', () => {
  it('are created with each type of event once, up to their limit', () => {
    given(webhooksOf, [])
      .when((state) => create(state, { ...made, events: ['space_added', 'site_added', 'space_added'] }))
      .then([created({ events: ['site_added', 'space_added'] })]);
    const many = Array.from({ length: webhookBounds.webhooks }, (_, n) => created({ webhook: `w${n}` }));
    given(webhooksOf, many)
      .when((state) => create(state, made))
      .thenFails('limit_reached');
  });

  it('record only what is otherwise', () => {
    given(webhooksOf, [created()])
      .when((state) => change(state, 'w', { address: 'a', events: ['space_added'], name: null, status: 'active' }))
      .then([]);
    given(webhooksOf, [created()])
      .when((state) => change(state, 'w', { address: 'b', events: ['site_added'], name: 'A', status: 'disabled' }))
      .then([
        { type: 'WebhookRenamed', data: { webhook: 'w', name: 'A' } },
        { type: 'WebhookAddressChanged', data: { webhook: 'w', address: 'b', replaced: 'a' } },
        { type: 'WebhookEventsChanged', data: { webhook: 'w', events: ['site_added'] } },
        { type: 'WebhookDisabled', data: { webhook: 'w', reason: 'admin' } },
      ]);
    given(webhooksOf, [])
      .when((state) => change(state, 'w', {}))
      .thenFails('not_found');
  });

  it('are disabled once, and enabled again', () => {
    given(webhooksOf, [created()])
      .when((state) => disable(state, 'w', 'failures'))
      .then([disabled]);
    given(webhooksOf, [created(), disabled])
      .when((state) => disable(state, 'w', 'queue_full'))
      .then([]);
    given(webhooksOf, [created(), disabled])
      .when((state) => change(state, 'w', { status: 'active' }))
      .then([{ type: 'WebhookEnabled', data: { webhook: 'w' } }]);
  });

  it('have another secret after each rotation', () => {
    given(webhooksOf, [created()])
      .when((state) => rotate(state, 'w'))
      .then([rotated(1)]);
    given(webhooksOf, [created(), rotated(1)])
      .when((state) => rotate(state, 'w'))
      .then([rotated(2)]);
  });

  it('are deleted once, and all with their organization, after which none is created', () => {
    given(webhooksOf, [created()])
      .when((state) => remove(state, 'w'))
      .then([deleted('deleted')]);
    given(webhooksOf, [created(), deleted('deleted')])
      .when((state) => remove(state, 'w'))
      .then([]);
    given(webhooksOf, [created()])
      .when(close)
      .then([deleted('organization_deleted'), closed]);
    given(webhooksOf, [closed]).when(close).then([]);
    given(webhooksOf, [closed])
      .when((state) => create(state, made))
      .thenFails('not_found');
  });
});
