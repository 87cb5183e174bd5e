import { describe, it } from '@jest/globals';
import { given } from '@scriptorium/event-sourcing/testing';
import type { UserEvent } from '../../events/user.events.js';
import { changeProfile, register, user, verifyEmail } from './user.js';

const data = {
  email: 'ann@example.com',
  emailVerified: true,
  displayName: 'Ann',
  kind: 'person',
  operator: false,
} as const;
const registered: UserEvent = { type: 'UserRegistered', data };

describe('a user', () => {
  it('is registered once, with the address in lower case', () => {
    given(user, [])
      .when((state) => register(state, { ...data, email: 'Ann@Example.COM' }))
      .then([registered]);
    given(user, [registered])
      .when((state) => register(state, data))
      .thenFails('already_exists');
  });

  it('has their address verified once', () => {
    const unverified: UserEvent = { type: 'UserRegistered', data: { ...data, emailVerified: false } };
    const verified: UserEvent = { type: 'UserEmailVerified', data: {} };
    given(user, [unverified]).when(verifyEmail).then([verified]);
    given(user, [unverified, verified]).when(verifyEmail).then([]);
    given(user, [registered]).when(verifyEmail).then([]);
    given(user, []).when(verifyEmail).thenFails('not_found');
  });

  it('can change their name and photo', () => {
    given(user, [registered])
      .when((state) => changeProfile(state, { displayName: 'Anna', photoURL: 'https://x.example/a.png' }))
      .then([
        { type: 'UserRenamed', data: { displayName: 'Anna' } },
        { type: 'UserPhotoChanged', data: { photoURL: 'https://x.example/a.png' } },
      ]);
    given(user, [registered, { type: 'UserPhotoChanged', data: { photoURL: 'https://x.example/a.png' } }])
      .when((state) => changeProfile(state, { photoURL: null }))
      .then([{ type: 'UserPhotoChanged', data: { photoURL: null } }]);
  });

  it('produces no event for a profile field that keeps its value', () => {
    given(user, [registered])
      .when((state) => changeProfile(state, { displayName: 'Ann', photoURL: null }))
      .then([]);
    given(user, [])
      .when((state) => changeProfile(state, {}))
      .thenFails('not_found');
  });
});
