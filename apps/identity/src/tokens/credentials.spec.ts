import { describe, it } from '@jest/globals';
import { given } from '@scriptorium/event-sourcing/testing';
import type { CredentialsEvent } from './credentials.events.js';
import { createToken, credentials, issueToken, revokeToken } from './credentials.js';

const token = { token: 't1', label: 'ci', hash: 'ab' };
const created: CredentialsEvent = { type: 'TokenCreated', data: token };
const revoked: CredentialsEvent = { type: 'TokenRevoked', data: { token: 't1' } };

describe('credentials', () => {
  it('get tokens up to a limit', () => {
    given(credentials, []).when((state) => createToken(state, token)).then([created]);
    const full = Array.from({ length: 100 }, (_, i): CredentialsEvent => ({ type: 'TokenCreated', data: { ...token, token: `x${i}` } }));
    given(credentials, full).when((state) => createToken(state, token)).thenFails('limit_reached');
  });

  it('lose a token once', () => {
    given(credentials, [created]).when((state) => revokeToken(state, { token: 't1' })).then([revoked]);
    given(credentials, [created, revoked]).when((state) => revokeToken(state, { token: 't1' })).then([]);
  });

  it('are made by an operator for services, and for people only the first time', () => {
    given(credentials, []).when((state) => issueToken(state, { ...token, kind: 'person' })).then([created]);
    given(credentials, [created, revoked]).when((state) => issueToken(state, { ...token, kind: 'person' })).thenFails('forbidden');
    given(credentials, [created, revoked]).when((state) => issueToken(state, { ...token, kind: 'service' })).then([created]);
  });
});
