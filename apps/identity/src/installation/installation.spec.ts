import { describe, it } from '@jest/globals';
import { given } from '@scriptorium/event-sourcing/testing';
import { claim, installation } from './installation.js';

const data = { user: 'u', organization: 'o', token: 't' };

describe('an installation', () => {
  it('is claimed by the first, who may say so again', () => {
    given(installation, []).when((state) => claim(state, data)).then([{ type: 'InstallationClaimed', data }]);
    given(installation, [{ type: 'InstallationClaimed', data }]).when((state) => claim(state, data)).then([]);
    given(installation, [{ type: 'InstallationClaimed', data }]).when((state) => claim(state, { ...data, token: 'x' })).thenFails('conflict');
  });
});
