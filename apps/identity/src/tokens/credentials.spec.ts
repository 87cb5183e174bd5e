import { describe, it } from '@jest/globals';
import type { Scope } from '@scriptorium/contracts';
import { given } from '@scriptorium/event-sourcing/testing';
import type { CredentialsEvent } from './credentials.events.js';
import { createToken, credentials, issueToken, notePasswordChange, noteSignIn, revokeToken } from './credentials.js';

const token = { token: 't1', label: 'ci', hash: 'ab' };
const created: CredentialsEvent = { type: 'TokenCreated', data: token };
const signedIn: CredentialsEvent = { type: 'PersonSignedIn', data: { method: 'link' } };
const revoked: CredentialsEvent = { type: 'TokenRevoked', data: { token: 't1' } };

describe('credentials', () => {
  it('get tokens up to a limit', () => {
    given(credentials, []).when((state) => createToken(state, { token, limit: 1 })).then([created]);
    given(credentials, [created]).when((state) => createToken(state, { token, limit: 1 })).thenFails('limit_reached');
    given(credentials, [created, revoked]).when((state) => createToken(state, { token, limit: 1 })).then([created]);
  });

  it('record each scope once', () => {
    const scoped = (scopes: Scope[]) => ({ ...token, scopes });
    given(credentials, [])
      .when((state) => createToken(state, { token: scoped(['user:read', 'user:read', 'organization:read']), limit: 1 }))
      .then([{ type: 'TokenCreated', data: scoped(['user:read', 'organization:read']) }]);
  });

  it('lose a token once', () => {
    given(credentials, [created]).when((state) => revokeToken(state, { token: 't1' })).then([revoked]);
    given(credentials, [created, revoked]).when((state) => revokeToken(state, { token: 't1' })).then([]);
  });

  it('are made by an operator for services, and for people only the first time', () => {
    given(credentials, []).when((state) => issueToken(state, { token, limit: 9, kind: 'person' })).then([created]);
    given(credentials, [created, revoked]).when((state) => issueToken(state, { token, limit: 9, kind: 'person' })).thenFails('forbidden');
    given(credentials, [signedIn]).when((state) => issueToken(state, { token, limit: 9, kind: 'person' })).thenFails('forbidden');
    given(credentials, [created, revoked]).when((state) => issueToken(state, { token, limit: 9, kind: 'service' })).then([created]);
  });

  it('know of the first sign-in and of each new password', () => {
    given(credentials, [created]).when((state) => noteSignIn(state, { method: 'link' })).then([signedIn]);
    given(credentials, [signedIn]).when((state) => noteSignIn(state, { method: 'password' })).then([]);
    given(credentials, [signedIn]).when(notePasswordChange).then([{ type: 'PasswordChanged', data: {} }]);
  });
});
