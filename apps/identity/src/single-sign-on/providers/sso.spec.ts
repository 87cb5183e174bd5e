import { describe, it } from '@jest/globals';
import { given } from '@scriptorium/event-sourcing/testing';
import type { SSOEvent, ProviderSettings } from '../../events/sso.events.js';
import { configureProvider, createProvider, deleteProvider, enforce, sso } from './sso.js';

const pending: ProviderSettings = {
  label: 'Main',
  ssoURL: 'https://idp.example/sso',
  entityID: null,
  certificate: 'pem',
  certificateValid: true,
  defaultTeam: null,
  defaultRole: null,
};
const complete: ProviderSettings = { ...pending, entityID: 'idp' };
const created = (provider: string, settings = complete): SSOEvent => ({
  type: 'SAMLProviderCreated',
  data: { provider, settings },
});
const configured = (provider: string, settings: ProviderSettings): SSOEvent => ({
  type: 'SAMLProviderConfigured',
  data: { provider, settings },
});
const deleted = (provider: string): SSOEvent => ({ type: 'SAMLProviderDeleted', data: { provider } });
const on: SSOEvent = { type: 'OrganizationSSOEnforcementEnabled', data: {} };
const off: SSOEvent = { type: 'OrganizationSSOEnforcementDisabled', data: {} };

describe('the SAML providers of an organization', () => {
  it('are no more than the limit', () => {
    given(sso, [])
      .when((state) => createProvider(state, { provider: 'p', settings: pending, limit: 1 }))
      .then([created('p', pending)]);
    given(sso, [created('p')])
      .when((state) => createProvider(state, { provider: 'q', settings: pending, limit: 1 }))
      .thenFails('limit_reached');
  });

  it('are changed field by field', () => {
    given(sso, [created('p', pending)])
      .when((state) => configureProvider(state, { provider: 'p', change: { entityID: 'idp', label: undefined } }))
      .then([configured('p', complete)]);
    given(sso, [created('p')])
      .when((state) => configureProvider(state, { provider: 'p', change: { label: 'Main' } }))
      .then([]);
    given(sso, [])
      .when((state) => configureProvider(state, { provider: 'p', change: {} }))
      .thenFails('not_found');
  });

  it('are deleted once', () => {
    given(sso, [created('p')])
      .when((state) => deleteProvider(state, { provider: 'p' }))
      .then([deleted('p')]);
    given(sso, [created('p'), deleted('p')])
      .when((state) => deleteProvider(state, { provider: 'p' }))
      .then([]);
  });
});

describe('the enforcement of single sign-on', () => {
  it('requires an active provider', () => {
    given(sso, [created('p')])
      .when((state) => enforce(state, { on: true }))
      .then([on]);
    given(sso, [created('p'), on])
      .when((state) => enforce(state, { on: true }))
      .then([]);
    given(sso, [created('p'), on])
      .when((state) => enforce(state, { on: false }))
      .then([off]);
    given(sso, [])
      .when((state) => enforce(state, { on: true }))
      .thenFails('sso_unavailable');
    for (const less of [{ entityID: null }, { ssoURL: null }, { certificate: null }, { certificateValid: false }]) {
      given(sso, [created('p', { ...complete, ...less })])
        .when((state) => enforce(state, { on: true }))
        .thenFails('sso_unavailable');
    }
  });

  it('prevents a change that would leave no active provider', () => {
    const clear = { provider: 'p', change: { certificate: null } };
    given(sso, [created('p'), on])
      .when((state) => configureProvider(state, clear))
      .thenFails('sso_in_use');
    given(sso, [created('p'), created('q'), on])
      .when((state) => configureProvider(state, clear))
      .then([configured('p', { ...complete, certificate: null })]);
    given(sso, [created('p'), on, off])
      .when((state) => configureProvider(state, clear))
      .then([configured('p', { ...complete, certificate: null })]);
    given(sso, [created('p'), on])
      .when((state) => configureProvider(state, { provider: 'p', change: { label: 'Other' } }))
      .then([configured('p', { ...complete, label: 'Other' })]);
  });

  it('ends when the last active provider is deleted', () => {
    given(sso, [created('p'), created('q', pending), on])
      .when((state) => deleteProvider(state, { provider: 'p' }))
      .then([deleted('p'), off]);
    given(sso, [created('p'), created('q'), on])
      .when((state) => deleteProvider(state, { provider: 'p' }))
      .then([deleted('p')]);
    given(sso, [created('p'), created('q', pending), on])
      .when((state) => deleteProvider(state, { provider: 'q' }))
      .then([deleted('q')]);
  });
});
