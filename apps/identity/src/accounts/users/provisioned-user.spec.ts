import { describe, it } from '@jest/globals';
import { given } from '@scriptorium/event-sourcing/testing';
import type { UserEvent } from '../../events/index.js';
import { endProvisioning, nameProvisioned, registerProvisioned } from './provisioned-user.js';
import { user } from './user.js';

const name = {
  organization: 'o',
  userName: 'ann',
  externalId: 'e1',
  displayName: 'Ann',
  givenName: null,
  familyName: null,
  created: true,
};
const account = { email: 'ann@example.com', displayName: 'Ann' };
const registered: UserEvent = {
  type: 'UserRegistered',
  data: { ...account, emailVerified: false, kind: 'person', operator: false },
};
const provisioned: UserEvent = { type: 'UserProvisioned', data: name };
const ended: UserEvent = { type: 'UserDeprovisioned', data: { organization: 'o' } };

describe('a person whom an identity provider creates', () => {
  it('gets an account without a verified address, or the one that was made before', () => {
    const create = (history: UserEvent[]) =>
      given(user, history).when((state) => registerProvisioned(state, { name, ...account, resumes: false }));
    create([]).then([registered, provisioned]);
    create([registered, provisioned]).thenFails('already_exists');
    create([registered, provisioned, ended]).then([provisioned]);
  });

  it('is created again only where the request before was interrupted, under the same name', () => {
    const joining = { ...name, joining: true };
    const begun: UserEvent[] = [registered, { type: 'UserProvisioned', data: joining }];
    const again = (more: object, history = begun, resumes = true) =>
      given(user, history).when((state) =>
        registerProvisioned(state, { ...account, name: { ...joining, ...more }, resumes }),
      );
    again({}).then([]);
    again({ userName: 'ANN' }).then([{ type: 'UserProvisioned', data: { ...joining, userName: 'ANN' } }]);
    again({ userName: 'anna' }).thenFails('already_exists');
    again({}, begun, false).thenFails('already_exists');
    again({}, [registered, provisioned]).thenFails('already_exists');
  });

  it('is renamed with their account, and each change is recorded once', () => {
    const change = (more: object, displayName?: string) =>
      given(user, [registered, provisioned]).when((state) =>
        nameProvisioned(state, { name: { ...name, ...more }, displayName, from: 'ann' }),
      );
    change({}).then([]);
    change({ userName: 'anna' }, 'Anna').then([
      { type: 'UserProvisioned', data: { ...name, userName: 'anna' } },
      { type: 'UserRenamed', data: { displayName: 'Anna' } },
    ]);
    given(user, [])
      .when((state) => nameProvisioned(state, { name, from: undefined }))
      .thenFails('not_found');
    given(user, [registered, provisioned])
      .when((state) => nameProvisioned(state, { name, from: 'anna' }))
      .thenFails('conflict');
  });

  it('is deleted once', () => {
    const end = (history: UserEvent[]) =>
      given(user, history).when((state) => endProvisioning(state, { organization: 'o' }));
    end([registered, provisioned]).then([ended]);
    end([registered, provisioned, ended]).then([]);
    end([]).then([]);
  });
});
