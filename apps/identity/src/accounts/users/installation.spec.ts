import { describe, it } from '@jest/globals';
import { given } from '@scriptorium/event-sourcing/testing';
import type { InstallationEvent } from './installation.events.js';
import { claimInstallation, installation, recordOperatorLeft, recordOperatorStayed } from './installation.js';

const data = { user: 'u', organization: 'o', token: 't' };

describe('an installation', () => {
  it('is claimed by the first token, which may repeat the claim, and by no other', () => {
    given(installation, [])
      .when((state) => claimInstallation(state, data))
      .then([{ type: 'InstallationClaimed', data }]);
    given(installation, [{ type: 'InstallationClaimed', data }])
      .when((state) => claimInstallation(state, data))
      .then([]);
    given(installation, [{ type: 'InstallationClaimed', data }])
      .when((state) => claimInstallation(state, { ...data, token: 'x' }))
      .thenFails('conflict');
  });

  it('lets an operator leave unless no other operator stays', () => {
    const left = (user: string): InstallationEvent => ({ type: 'OperatorLeft', data: { user } });
    const operators = ['u', 'v'];
    given(installation, [])
      .when((state) => recordOperatorLeft(state, { user: 'u', operators }))
      .then([left('u')]);
    given(installation, [left('u')])
      .when((state) => recordOperatorLeft(state, { user: 'u', operators }))
      .then([]);
    // The read model may still show who has left.
    given(installation, [left('u')])
      .when((state) => recordOperatorLeft(state, { user: 'v', operators }))
      .thenFails('last_admin');
    given(installation, [])
      .when((state) => recordOperatorLeft(state, { user: 'u', operators: ['u'] }))
      .thenFails('last_admin');
    given(installation, [])
      .when((state) => recordOperatorLeft(state, { user: 'nobody', operators }))
      .then([]);
  });

  it('counts an operator again who stays after having left', () => {
    const left: InstallationEvent = { type: 'OperatorLeft', data: { user: 'u' } };
    const stayed: InstallationEvent = { type: 'OperatorStayed', data: { user: 'u' } };
    const operators = ['u', 'v'];
    given(installation, [left])
      .when((state) => recordOperatorStayed(state, { user: 'u' }))
      .then([stayed]);
    given(installation, [left, stayed])
      .when((state) => recordOperatorStayed(state, { user: 'u' }))
      .then([]);
    given(installation, [left, stayed])
      .when((state) => recordOperatorLeft(state, { user: 'v', operators }))
      .then([{ type: 'OperatorLeft', data: { user: 'v' } }]);
    given(installation, [left, stayed])
      .when((state) => recordOperatorLeft(state, { user: 'u', operators }))
      .then([left]);
  });
});
