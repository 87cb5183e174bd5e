import { describe, expect, it } from '@jest/globals';
import { given } from '@scriptorium/event-sourcing/testing';
import type { ProvisioningEvent } from '../events/index.js';
import {
  beginTeam,
  begunTeam,
  completeTeam,
  createToken,
  forgetTeam,
  forgetUnmadeTeam,
  hashOfToken,
  nameTeam,
  provisioning,
  revokeToken,
  type WantedTeam,
} from './provisioning.js';

const token = { token: 't1', label: 'Okta', hash: 'ab' };
const created: ProvisioningEvent = { type: 'SCIMTokenCreated', data: token };
const revoked: ProvisioningEvent = { type: 'SCIMTokenRevoked', data: { token: 't1' } };
const now = Date.parse('2026-01-01T00:00:00.000Z');

/** Twenty tokens, the most; `expiresAt` of the first. */
const many = (expiresAt?: string): ProvisioningEvent[] =>
  Array.from({ length: 20 }, (_, i) => ({
    type: 'SCIMTokenCreated',
    data: { ...token, token: `m${i}`, ...(i === 0 && expiresAt !== undefined ? { expiresAt } : {}) },
  }));

describe('the provisioning of an organization', () => {
  it('has as many tokens as its limit, and drops an expired one for a new one', () => {
    given(provisioning, [])
      .when((state) => createToken(state, { token, now }))
      .then([created]);
    given(provisioning, many())
      .when((state) => createToken(state, { token, now }))
      .thenFails('limit_reached');
    given(provisioning, many('2026-01-01T00:00:00.000Z'))
      .when((state) => createToken(state, { token, now }))
      .then([{ type: 'SCIMTokenRevoked', data: { token: 'm0' } }, created]);
  });

  it('records the revocation of a token once', () => {
    given(provisioning, [created])
      .when((state) => revokeToken(state, { token: 't1' }))
      .then([revoked]);
    given(provisioning, [created, revoked])
      .when((state) => revokeToken(state, { token: 't1' }))
      .then([]);
  });

  it('accepts a token until it expires or is revoked', () => {
    const hashAt = (time: string, ...more: ProvisioningEvent[]): string | undefined => {
      const until: ProvisioningEvent = { ...created, data: { ...token, expiresAt: '2026-01-01T00:00:00.000Z' } };
      return hashOfToken(given(provisioning, [until, ...more]).state, { token: 't1', now: Date.parse(time) });
    };
    expect(hashAt('2025-12-31T23:59:59.999Z')).toBe('ab');
    expect(hashAt('2026-01-01T00:00:00.000Z')).toBeUndefined();
    expect(hashAt('2025-12-31T23:59:59.999Z', revoked)).toBeUndefined();
    expect(hashOfToken(given(provisioning, [created]).state, { token: 't1', now: Infinity })).toBe('ab');
  });

  it('records a changed name of a team only', () => {
    const named = (externalId: string | null): ProvisioningEvent => ({
      type: 'TeamExternalIdChanged',
      data: { team: 'w', externalId },
    });
    const name = (history: ProvisioningEvent[], externalId: string | null) =>
      given(provisioning, history).when((state) => nameTeam(state, { team: 'w', externalId }));
    name([], 'g1').then([named('g1')]);
    name([named('g1')], 'g1').then([]);
    name([named('g1')], null).then([named(null)]);
    name([named('g1'), named(null)], null).then([]);
  });

  describe('with a team that the provider wants', () => {
    const wanted: WantedTeam = { team: 'w', title: 'Writers', externalId: 'g1' };
    const began: ProvisioningEvent = { type: 'TeamProvisioningBegan', data: wanted };
    const named: ProvisioningEvent = { type: 'TeamExternalIdChanged', data: { team: 'w', externalId: 'g1' } };
    const unnamed: ProvisioningEvent = { type: 'TeamExternalIdChanged', data: { team: 'w', externalId: null } };
    const done: ProvisioningEvent = { type: 'TeamProvisioningEnded', data: { team: 'w' } };
    const again = { ...wanted, team: 'v' };

    it('records with its id that it has begun, once until it is complete', () => {
      const begin = (history: ProvisioningEvent[], input = wanted) =>
        given(provisioning, history).when((state) => beginTeam(state, input));
      begin([]).then([began, named]);
      begin([began, named], again).then([]);
      expect(begunTeam(given(provisioning, [began, named]).state, again)).toBe('w');
      begin([began, named], { ...again, title: 'Renamed' }).then([]);
      const other = { ...again, externalId: null };
      begin([began, named], other).then([{ type: 'TeamProvisioningBegan', data: other }]);
      begin([began, named, done], again).thenFails('already_exists');
      expect(begunTeam(given(provisioning, [began, named, done]).state, again)).toBeUndefined();
    });

    it('is complete once, and forgets a deleted one with its id', () => {
      const complete = (history: ProvisioningEvent[]) =>
        given(provisioning, history).when((state) => completeTeam(state, { team: 'w' }));
      complete([began, named]).then([done]);
      complete([began, named, done]).then([]);
      const forget = (history: ProvisioningEvent[]) =>
        given(provisioning, history).when((state) => forgetTeam(state, { team: 'w' }));
      forget([began, named]).then([unnamed, done]);
      forget([began, named, done]).then([unnamed]);
      forget([began, named, done, unnamed]).then([]);
    });

    it('has its id no longer when it was never made and is not begun any more', () => {
      const forget = (history: ProvisioningEvent[]) =>
        given(provisioning, history).when((state) => forgetUnmadeTeam(state, { team: 'w' }));
      const later = Array.from({ length: 100 }, (_, i): ProvisioningEvent => {
        return { type: 'TeamProvisioningBegan', data: { team: `t${i}`, title: `T${i}`, externalId: null } };
      });
      forget([began, named, ...later.slice(1)]).then([]);
      forget([began, named, ...later]).then([unnamed]);
      given(provisioning, [began, named, ...later, unnamed])
        .when((state) => beginTeam(state, again))
        .then([
          { type: 'TeamProvisioningBegan', data: again },
          { type: 'TeamExternalIdChanged', data: { team: 'v', externalId: 'g1' } },
        ]);
    });

    it('remembers the latest hundred that are not complete', () => {
      const many = Array.from({ length: 101 }, (_, i): ProvisioningEvent => {
        return { type: 'TeamProvisioningBegan', data: { team: `t${i}`, title: `T${i}`, externalId: null } };
      });
      const { state } = given(provisioning, many);
      const find = (i: number) => begunTeam(state, { title: `T${i}`, externalId: null });
      expect([state.begun.length, find(0), find(100)]).toEqual([100, undefined, 't100']);
    });
  });
});
