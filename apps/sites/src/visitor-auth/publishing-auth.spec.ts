import { describe, expect, it } from '@jest/globals';
import { given } from '@scriptorium/event-sourcing/testing';
import type { PublishingEvent } from './publishing.events.js';
import {
  authAfter,
  authGeneration,
  configureAuth,
  endLogin,
  initialAuth,
  publishingAuth,
  rotateKey,
} from './publishing-auth.js';

const time = '2026-01-02T03:04:05.006Z';
const rotated = (version: number): PublishingEvent => ({
  type: 'SiteAuthKeyRotated',
  data: { secret: `s${version}`, version, keepsPrevious: true },
});

const ended: PublishingEvent = { type: 'SiteAuthBackendChanged', data: { backend: 'custom', hasEnded: true } };

describe('how visitors prove who they are', () => {
  it('changes by one event for each setting that differs', () => {
    const fallback: PublishingEvent = {
      type: 'SiteAuthFallbackChanged',
      data: { fallbackURL: 'https://a.example/in' },
    };
    given(publishingAuth, [fallback])
      .when((state) =>
        configureAuth(state, { fallbackURL: 'https://a.example/in', logoutURL: 'https://a.example/out' }),
      )
      .then([{ type: 'SiteAuthLogoutChanged', data: { logoutURL: 'https://a.example/out' } }]);
    given(publishingAuth, [fallback])
      .when((state) => configureAuth(state, { fallbackURL: null }))
      .then([{ type: 'SiteAuthFallbackChanged', data: { fallbackURL: null } }]);
    given(publishingAuth, [])
      .when((state) => configureAuth(state, { fallbackURL: null, logoutURL: null, backend: 'custom' }))
      .then([]);
  });

  const integration = { name: 'login', installation: 'i1' };
  const signedInBy = (installation: string): PublishingEvent => ({
    type: 'SiteAuthBackendChanged',
    data: { backend: 'integration', integration: 'login', installation },
  });
  const custom: PublishingEvent = { type: 'SiteAuthBackendChanged', data: { backend: 'custom' } };

  it('can be said by an integration, as long as it is installed', () => {
    given(publishingAuth, [])
      .when((state) => configureAuth(state, { backend: 'integration', integration }))
      .then([signedInBy('i1')]);
    given(publishingAuth, [signedInBy('i1')])
      .when((state) => configureAuth(state, { backend: 'integration' }))
      .then([]);
    given(publishingAuth, [signedInBy('i1')])
      .when((state) => configureAuth(state, { integration: { ...integration, installation: 'i2' } }))
      .then([signedInBy('i2')]);
    given(publishingAuth, [signedInBy('i1')])
      .when((state) => configureAuth(state, { backend: 'custom' }))
      .then([custom]);
    given(publishingAuth, [signedInBy('i2')])
      .when((state) => endLogin(state, 'i1'))
      .then([]);
    given(publishingAuth, [signedInBy('i1')])
      .when((state) => endLogin(state, 'i1'))
      .then([ended]);
    given(publishingAuth, [signedInBy('i1'), ended])
      .when((state) => endLogin(state, 'i1'))
      .then([]);
    // No key counts until somebody says who signs visitors in, be it that it stays as it is.
    given(publishingAuth, [signedInBy('i1'), ended])
      .when((state) => configureAuth(state, { backend: 'custom', given: true }))
      .then([custom]);
    given(publishingAuth, [signedInBy('i1'), ended])
      .when((state) => configureAuth(state, { fallbackURL: null }))
      .then([]);
  });

  it('ends content tokens with each key and whoever signs visitors in', () => {
    const generation = (...events: PublishingEvent[]) =>
      authGeneration(events.reduce((state, event) => authAfter(state, event, time), initialAuth));
    expect(generation()).toBe(0);
    expect(generation(signedInBy('i1'), rotated(1), custom)).toBe(3);
  });

  it('gets a key with the next number, once', () => {
    given(publishingAuth, [])
      .when((state) => rotateKey(state, { secret: 's1', from: 0, keepsPrevious: true }))
      .then([rotated(1)]);
    given(publishingAuth, [rotated(1)])
      .when((state) => rotateKey(state, { secret: 's1', from: 0, keepsPrevious: true }))
      .then([]);
  });
});
