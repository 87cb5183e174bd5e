import { describe, expect, it } from '@jest/globals';
import { given } from '@scriptorium/event-sourcing/testing';
import type { IntegrationEvent, Published, Wanted } from './integration.events.js';
import {
  canonical,
  enableDevMode,
  endDevMode,
  integration,
  isSame,
  publish,
  remove,
  unpublish,
} from './integration.js';

const wanted: Wanted = {
  name: 'slack',
  organization: 'o',
  title: 'Slack',
  description: '',
  summary: '',
  runtime: 'v1',
  visibility: 'private',
  target: 'all',
  scopes: ['space:content:read'],
  categories: [],
  blocks: [],
  contentSources: [],
  configurations: {},
  externalLinks: [],
  contentSecurityPolicy: null,
  script: 'hash',
  icon: null,
  previews: [],
  secrets: null,
};
const version = (number: number, more: Partial<Published> = {}): IntegrationEvent => ({
  type: 'IntegrationPublished',
  data: { ...wanted, replacedSecrets: null, ...more, version: number },
});
const unpublished: IntegrationEvent = { type: 'IntegrationUnpublished', data: { name: 'slack' } };

describe('an integration', () => {
  it('is published for the first time as version 1', () => {
    given(integration, [])
      .when((state) => publish(state, wanted))
      .then([version(1)]);
  });

  it('has another version whenever something differs', () => {
    given(integration, [version(1)])
      .when((state) => publish(state, { ...wanted, script: 'other' }))
      .then([version(2, { script: 'other' })]);
    given(integration, [version(1)])
      .when((state) => publish(state, { ...wanted, secrets: 'other' }))
      .then([version(2, { secrets: 'other' })]);
    given(integration, [version(1, { secrets: 'first' })])
      .when((state) => publish(state, wanted))
      .then([version(2, { replacedSecrets: 'first' })]);
  });

  it('has no other version when it is published as it is', () => {
    given(integration, [version(1), version(2)])
      .when((state) => publish(state, { ...wanted }))
      .then([]);
  });

  it('tells what it asks its installations for when that changes', () => {
    const scopes = ['space:content:read', 'site:views:read'] as const;
    const property = { type: 'string' };
    const account = { properties: { key: property, other: { ...property, default: 'x' } }, required: ['key', 'other'] };
    const before = { scopes: ['space:content:read' as const], required: [] };
    given(integration, [version(1)])
      .when((state) => publish(state, { ...wanted, scopes: [...scopes], configurations: { account } }))
      .then([
        version(2, { scopes: [...scopes], configurations: { account } }),
        {
          type: 'IntegrationDemandsChanged',
          data: { demands: { scopes: ['site:views:read', 'space:content:read'], required: ['key'] }, before },
        },
      ]);
  });

  it('is removed once, when it was unpublished', () => {
    const removed: IntegrationEvent = { type: 'IntegrationRemoved', data: {} };
    given(integration, [version(1)])
      .when(remove)
      .then([]);
    given(integration, [version(1), unpublished])
      .when(remove)
      .then([removed]);
    given(integration, [version(1), unpublished, removed])
      .when(remove)
      .then([]);
    given(integration, [version(1), unpublished, removed])
      .when((state) => publish(state, wanted))
      .thenFails('conflict');
  });

  it('is unpublished once, and never published again', () => {
    given(integration, [version(1)])
      .when(unpublish)
      .then([unpublished]);
    given(integration, [version(1), unpublished])
      .when(unpublish)
      .then([]);
    given(integration, [version(1), unpublished])
      .when((state) => publish(state, wanted))
      .thenFails('conflict');
  });

  it('is in development mode until it ends, whatever is published meanwhile', () => {
    const [one, other] = ['2030-01-01T00:00:00.000Z', '2030-01-02T00:00:00.000Z'];
    const enabled = (until: string): IntegrationEvent => ({
      type: 'DevModeEnabled',
      data: { name: 'slack', all: false, until },
    });
    const ended: IntegrationEvent = { type: 'DevModeEnded', data: { name: 'slack', reason: 'expired' } };
    given(integration, [version(1)])
      .when((state) => enableDevMode(state, { all: false, until: one }))
      .then([enabled(one)]);
    given(integration, [])
      .when((state) => enableDevMode(state, { all: false, until: one }))
      .thenFails('not_found');
    const end = (of?: string) => (state: Parameters<typeof endDevMode>[0]) =>
      endDevMode(state, { reason: 'expired', of });
    given(integration, [version(1), enabled(one), version(2)])
      .when(end())
      .then([ended]);
    // It was enabled again: the first time does not count any more.
    given(integration, [version(1), enabled(one), enabled(other)])
      .when(end(one))
      .then([]);
    given(integration, [version(1), enabled(one), ended])
      .when(end())
      .then([]);
  });

  it('is compared without regard to the order of fields', () => {
    expect(isSame({ a: 1, b: [{ c: 2, d: 3 }] }, { b: [{ d: 3, c: 2 }], a: 1 })).toBe(true);
    expect(isSame([1, 2], [2, 1])).toBe(false);
    expect(canonical({ b: null, a: 'x' })).toBe('{"a":"x","b":null}');
  });
});
