import { describe, it } from '@jest/globals';
import { given } from '@scriptorium/event-sourcing/testing';
import type { InstallationEvent } from '../../events/installation.events.js';
import { claim, installation, leave, stay } from './installation.js';

const data = { user: 'u', organization: 'o', token: 't' };

describe('an installation', () => {
  it('is claimed by the first, who may say so again', () => {
    given(installation, [])
      .when((state) => claim(state, data))
      .then([{ type: 'InstallationClaimed', data }]);
    given(installation, [{ type: 'InstallationClaimed', data }])
      .when((state) => claim(state, data))
      .then([]);
    given(installation, [{ type: 'InstallationClaimed', data }])
      .when((state) => claim(state, { ...data, token: 'x' }))
      .thenFails('conflict');
  });

  it('lets operators go, but for the last', () => {
    const left = (user: string): InstallationEvent => ({ type: 'OperatorLeft', data: { user } });
    const operators = ['u', 'v'];
    given(installation, [])
      .when((state) => leave(state, { user: 'u', operators }))
      .then([left('u')]);
    given(installation, [left('u')])
      .when((state) => leave(state, { user: 'u', operators }))
      .then([]);
    // The read model may still show who has left.
    given(installation, [left('u')])
      .when((state) => leave(state, { user: 'v', operators }))
      .thenFails('last_admin');
    given(installation, [])
      .when((state) => leave(state, { user: 'u', operators: ['u'] }))
      .thenFails('last_admin');
    given(installation, [])
      .when((state) => leave(state, { user: 'nobody', operators }))
      .then([]);
  });

  it('counts again on an operator who stays after all', () => {
    const left: InstallationEvent = { type: 'OperatorLeft', data: { user: 'u' } };
    const stayed: InstallationEvent = { type: 'OperatorStayed', data: { user: 'u' } };
    const operators = ['u', 'v'];
    given(installation, [left])
      .when((state) => stay(state, { user: 'u' }))
      .then([stayed]);
    given(installation, [left, stayed])
      .when((state) => stay(state, { user: 'u' }))
      .then([]);
    given(installation, [left, stayed])
      .when((state) => leave(state, { user: 'v', operators }))
      .then([{ type: 'OperatorLeft', data: { user: 'v' } }]);
    given(installation, [left, stayed])
      .when((state) => leave(state, { user: 'u', operators }))
      .then([left]);
  });
});
