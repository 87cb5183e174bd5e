import { describe, it } from '@jest/globals';
import { given } from '@scriptorium/event-sourcing/testing';
import type { PublishingEvent } from './publishing.events.js';
import { configureAuth, publishingAuth, rotateKey } from './publishing-auth.js';

const rotated = (version: number): PublishingEvent => ({
  type: 'SiteAuthKeyRotated',
  data: { secret: `s${version}`, version, keepsPrevious: true },
});

describe('how visitors prove who they are', () => {
  it('changes by one event for each setting that differs', () => {
    const fallback: PublishingEvent = {
      type: 'SiteAuthFallbackChanged',
      data: { fallbackURL: 'https://a.example/in' },
    };
    given(publishingAuth, [fallback])
      .when((state) => configureAuth(state, { fallbackURL: 'https://a.example/in', backend: 'integration' }))
      .then([{ type: 'SiteAuthBackendChanged', data: { backend: 'integration' } }]);
    given(publishingAuth, [fallback])
      .when((state) => configureAuth(state, { fallbackURL: null }))
      .then([{ type: 'SiteAuthFallbackChanged', data: { fallbackURL: null } }]);
    given(publishingAuth, [])
      .when((state) => configureAuth(state, { fallbackURL: null, logoutURL: null, backend: 'custom' }))
      .then([]);
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
