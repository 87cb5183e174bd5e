import { describe, expect, it } from '@jest/globals';
import { given, redelivered } from '@scriptorium/event-sourcing/testing';
import type { CollectionEvent } from './collection.events.js';
import { give, takeBack } from '../grants/grants.js';
import { collections } from './collection.projection.js';
import { changeGrants, collection, configure, create } from './collection.js';

const creator = { user: 'ann', membership: 'm-ann' };
const created: CollectionEvent = {
  type: 'CollectionCreated',
  data: { organization: 'o', title: 'Manuals', description: null },
};
const granted: CollectionEvent = { type: 'CollectionUserGrantGiven', data: { ...creator, level: 'admin' } };

describe('a collection', () => {
  it('is created once, with its creator as admin', () => {
    const input = { organization: 'o', title: 'Manuals', creator };
    given(collection, [])
      .when((state) => create(state, input))
      .then([created, granted]);
    given(collection, [created, granted])
      .when((state) => create(state, input))
      .thenFails('already_exists');
  });

  it('records each setting that differs', () => {
    given(collection, [created])
      .when((state) => configure(state, { title: 'Manuals', description: 'All', defaultLevel: null }))
      .then([
        { type: 'CollectionDescriptionChanged', data: { description: 'All' } },
        { type: 'CollectionDefaultLevelChanged', data: { level: null } },
      ]);
    given(collection, [])
      .when((state) => configure(state, { title: 'x' }))
      .thenFails('not_found');
  });

  it('grants levels as spaces do', () => {
    given(collection, [created, granted])
      .when((state) =>
        changeGrants(state, 'o', (grants) =>
          give(grants, { holders: [{ team: 't' }], level: 'read', own: 'admin', limit: 5 }),
        ),
      )
      .then([{ type: 'CollectionTeamGrantGiven', data: { team: 't', level: 'read' } }]);
    given(collection, [created, granted])
      .when((state) => changeGrants(state, 'o', (grants) => takeBack(grants, { holder: creator, own: 'admin' })))
      .then([{ type: 'CollectionUserGrantRemoved', data: { user: 'ann' } }]);
    given(collection, [])
      .when((state) => changeGrants(state, 'o', () => []))
      .thenFails('not_found');
  });

  it('is shown with its settings until its purge begins', () => {
    const meta = { organization: 'o' };
    const events = [
      { ...created, entityId: 'c', meta },
      { type: 'CollectionRenamed', data: { title: 'Books' }, entityId: 'c', meta },
    ];
    expect(redelivered(collections, events).get('c')).toEqual({
      organization: 'o',
      title: 'Books',
      description: null,
      defaultLevel: 'inherit',
    });
    const began = { type: 'CollectionPurgeBegan', data: { collection: 'c' }, entityId: 'o', meta };
    expect(redelivered(collections, [...events, began]).size).toBe(0);
  });
});
