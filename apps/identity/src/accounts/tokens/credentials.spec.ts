import { describe, it } from '@jest/globals';
import type { Scope } from '@scriptorium/contracts';
import { given } from '@scriptorium/event-sourcing/testing';
import type { CredentialsEvent } from '../../events/credentials.events.js';
import {
  createToken,
  credentials,
  endCredentials,
  issueToken,
  recordPasswordChange,
  recordSignIn,
  revokeToken,
} from './credentials.js';

const token = { token: 't1', label: 'ci', hash: 'ab' };
const created: CredentialsEvent = { type: 'TokenCreated', data: token };
const signedIn: CredentialsEvent = { type: 'PersonSignedIn', data: { method: 'link' } };
const revoked: CredentialsEvent = { type: 'TokenRevoked', data: { token: 't1' } };

describe('the credentials of a user', () => {
  it('hold no more tokens than the limit', () => {
    given(credentials, [])
      .when((state) => createToken(state, { token, limit: 1, now: 0 }))
      .then([created]);
    given(credentials, [created])
      .when((state) => createToken(state, { token, limit: 1, now: 0 }))
      .thenFails('limit_reached');
    given(credentials, [created, revoked])
      .when((state) => createToken(state, { token, limit: 1, now: 0 }))
      .then([created]);
  });

  it('drop the token that expired first when the limit leaves no room for a new one', () => {
    const short = (name: string, expiresAt: string): CredentialsEvent => ({
      type: 'TokenCreated',
      data: { ...token, token: name, expiresAt },
    });
    const history = [
      short('late', '2026-01-03T00:00:00.000Z'),
      short('early', '2026-01-01T00:00:00.000Z'),
      short('next', '2026-01-02T00:00:00.000Z'),
    ];
    const at = (time: string, limit = 3) =>
      given(credentials, history).when((state) => createToken(state, { token, limit, now: Date.parse(time) }));
    at('2025-12-31T23:59:59.999Z').thenFails('limit_reached');
    at('2025-12-31T23:59:59.999Z', 4).then([created]);
    at('2026-01-01T00:00:00.000Z').then([{ type: 'TokenRevoked', data: { token: 'early' } }, created]);
    at('2026-02-01T00:00:00.000Z').then([{ type: 'TokenRevoked', data: { token: 'early' } }, created]);
    at('2026-02-01T00:00:00.000Z', 2).then([
      { type: 'TokenRevoked', data: { token: 'early' } },
      { type: 'TokenRevoked', data: { token: 'next' } },
      created,
    ]);
    at('2026-02-01T00:00:00.000Z', 9).then([created]);
  });

  it('record a scope once that is named twice', () => {
    const scoped = (scopes: Scope[]) => ({ ...token, scopes });
    given(credentials, [])
      .when((state) =>
        createToken(state, { token: scoped(['user:read', 'user:read', 'organization:read']), limit: 1, now: 0 }),
      )
      .then([{ type: 'TokenCreated', data: scoped(['user:read', 'organization:read']) }]);
  });

  it('end once and take no token, sign-in or password after that', () => {
    const ended: CredentialsEvent = { type: 'CredentialsEnded', data: {} };
    given(credentials, [created]).when(endCredentials).then([ended]);
    given(credentials, [created, ended]).when(endCredentials).then([]);
    given(credentials, [created, ended])
      .when((state) => createToken(state, { token, limit: 9, now: 0 }))
      .thenFails('not_found');
    given(credentials, [created, ended])
      .when((state) => revokeToken(state, { token: 't1' }))
      .then([]);
    given(credentials, [ended])
      .when((state) => recordSignIn(state, { method: 'link' }))
      .thenFails('unauthenticated');
    given(credentials, [ended]).when(recordPasswordChange).thenFails('unauthenticated');
  });

  it('record the revocation of a token once', () => {
    given(credentials, [created])
      .when((state) => revokeToken(state, { token: 't1' }))
      .then([revoked]);
    given(credentials, [created, revoked])
      .when((state) => revokeToken(state, { token: 't1' }))
      .then([]);
  });

  it('get any number of tokens from an operator for a service account, but only the first token for a person', () => {
    given(credentials, [])
      .when((state) => issueToken(state, { token, limit: 9, now: 0, kind: 'person' }))
      .then([created]);
    given(credentials, [created, revoked])
      .when((state) => issueToken(state, { token, limit: 9, now: 0, kind: 'person' }))
      .thenFails('forbidden');
    given(credentials, [signedIn])
      .when((state) => issueToken(state, { token, limit: 9, now: 0, kind: 'person' }))
      .thenFails('forbidden');
    given(credentials, [created, revoked])
      .when((state) => issueToken(state, { token, limit: 9, now: 0, kind: 'service' }))
      .then([created]);
  });

  it('record the first sign-in and every password change', () => {
    given(credentials, [created])
      .when((state) => recordSignIn(state, { method: 'link' }))
      .then([signedIn]);
    given(credentials, [signedIn])
      .when((state) => recordSignIn(state, { method: 'password' }))
      .then([]);
    given(credentials, [signedIn])
      .when(recordPasswordChange)
      .then([{ type: 'PasswordChanged', data: {} }]);
  });
});
