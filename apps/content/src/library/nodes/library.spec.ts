import { describe, expect, it } from '@jest/globals';
import { given } from '@scriptorium/event-sourcing/testing';
import type { LibraryEvent } from './library.events.js';
import { beginPurge, close, deleteSpace, endPurge, purgeable, recoverableForMs, restore } from './deletion.js';
import { deletedAt, library } from './library.js';
import { addSpace } from './place.js';

const deletedThen = '2020-01-01T00:00:00.000Z';
const soon = Date.parse(deletedThen) + 1;
const added = (space: string, order = 'a0', parent: string | null = null): LibraryEvent => ({
  type: 'SpaceAdded',
  data: { space, parent, order },
});
const collection = (id: string, order = 'a0', parent: string | null = null): LibraryEvent => ({
  type: 'CollectionAdded',
  data: { collection: id, parent, order },
});
const deleted = (space: string): LibraryEvent => ({ type: 'SpaceDeleted', data: { space } });
const deletedCollection = (id: string): LibraryEvent => ({ type: 'CollectionDeleted', data: { collection: id } });
const closed: LibraryEvent = { type: 'LibraryClosed', data: {} };
const limit = 3;

describe('a library', () => {
  it('adds spaces at the end, once each', () => {
    given(library, [added('s1')])
      .when((state) => addSpace(state, { space: 's2', parent: null, limit }))
      .then([added('s2', 'a1')]);
    given(library, [added('s1')])
      .when((state) => addSpace(state, { space: 's1', parent: null, limit }))
      .thenFails('already_exists');
  });

  it('adds a space to a collection that is there', () => {
    given(library, [collection('c'), added('s1', 'a0', 'c')])
      .when((state) => addSpace(state, { space: 's2', parent: 'c', limit }))
      .then([added('s2', 'a1', 'c')]);
    for (const history of [[], [added('c')], [collection('c'), deletedCollection('c')]])
      given(library, history)
        .when((state) => addSpace(state, { space: 's2', parent: 'c', limit }))
        .thenFails('not_found');
  });

  it('has at most so many spaces, with those that can be restored', () => {
    given(library, [added('s1'), added('s2'), deleted('s2'), added('s3')])
      .when((state) => addSpace(state, { space: 's4', parent: null, limit }))
      .thenFails('limit_reached');
    given(library, [added('s1'), added('s2'), { type: 'SpacePurged', data: { space: 's2' } }, added('s3')])
      .when((state) => addSpace(state, { space: 's4', parent: null, limit }))
      .then([added('s4', 'a1')]);
  });

  it('takes nothing in once the organization was deleted', () => {
    given(library, [closed])
      .when((state) => addSpace(state, { space: 's1', parent: null, limit }))
      .thenFails('not_found');
    given(library, [closed]).when(close).then([]);
  });
});

describe('a space of a library', () => {
  it('is deleted once', () => {
    given(library, [added('s1')])
      .when((state) => deleteSpace(state, { space: 's1' }))
      .then([deleted('s1')]);
    for (const history of [[], [added('s1'), deleted('s1')], [collection('s1')]])
      given(library, history)
        .when((state) => deleteSpace(state, { space: 's1' }))
        .then([]);
  });

  it('is restored where it was, for seven days', () => {
    const history = [added('s1'), deleted('s1')];
    given(library, history)
      .when((state) => restore(state, { space: 's1', now: soon }))
      .then([{ type: 'SpaceRestored', data: { space: 's1', parent: null, order: 'a0' } }]);
    given(library, history)
      .when((state) => restore(state, { space: 's1', now: Date.parse(deletedThen) + recoverableForMs }))
      .thenFails('not_found');
    given(library, [added('s1')])
      .when((state) => restore(state, { space: 's1', now: soon }))
      .thenFails('no_change');
    given(library, [])
      .when((state) => restore(state, { space: 's1', now: soon }))
      .thenFails('not_found');
  });

  it('is restored to the end of the top when its collection was deleted', () => {
    given(library, [collection('c'), added('s1', 'a0', 'c'), deletedCollection('c')])
      .when((state) => restore(state, { space: 's1', now: soon }))
      .then([{ type: 'SpaceRestored', data: { space: 's1', parent: null, order: 'a1' } }]);
  });

  it('counts as deleted with the collection that contains it', () => {
    const { state } = given(library, [collection('c'), added('s1', 'a0', 'c'), deletedCollection('c')]);
    expect([deletedAt(state, 's1'), deletedAt(state, 'unknown')]).toEqual([deletedThen, null]);
    given(library, [collection('c'), added('s1', 'a0', 'c'), deletedCollection('c')])
      .when((now) => deleteSpace(now, { space: 's1' }))
      .then([]);
  });
});

describe('a purge', () => {
  const target = { node: 's1', deletedAt: deletedThen };
  const ids = (history: LibraryEvent[], of: Parameters<typeof purgeable>[1]) =>
    purgeable(given(library, history).state, of).map(({ id }) => id);

  it('is about one deletion: what was restored, or deleted again later, is left alone', () => {
    const restored: LibraryEvent = { type: 'SpaceRestored', data: { space: 's1', parent: null, order: 'a0' } };
    expect(ids([added('s1'), deleted('s1')], target)).toEqual(['s1']);
    expect(ids([added('s1'), deleted('s1'), restored], target)).toEqual([]);
    expect(ids([added('s1'), deleted('s1')], { ...target, deletedAt: '2019-01-01T00:00:00.000Z' })).toEqual([]);
  });

  it('goes on with what it has begun', () => {
    const begun: LibraryEvent = { type: 'SpacePurgeBegan', data: { space: 's1' } };
    expect(ids([added('s1'), deleted('s1'), begun], target)).toEqual(['s1']);
    given(library, [added('s1'), deleted('s1'), begun])
      .when((state) => beginPurge(state, [{ id: 's1', kind: 'space' }]))
      .then([]);
    given(library, [added('s1'), deleted('s1'), begun])
      .when((state) => restore(state, { space: 's1', now: soon }))
      .thenFails('not_found');
  });

  it('removes what a collection contains before the collection', () => {
    const history = [
      collection('c'),
      collection('d', 'a0', 'c'),
      added('s1', 'a0', 'd'),
      added('s2'),
      deletedCollection('c'),
    ];
    expect(ids(history, { node: 'c', deletedAt: deletedThen })).toEqual(['s1', 'd', 'c']);
  });

  it('removes everything of a library that was closed', () => {
    expect(ids([added('s1'), added('s2')], { node: null })).toEqual([]);
    expect(ids([added('s1'), added('s2'), closed], { node: null })).toEqual(['s1', 's2']);
  });

  it('ends once, also for what the library never had', () => {
    const node = { id: 's1', kind: 'space' } as const;
    const [began, ended]: LibraryEvent[] = [
      { type: 'SpacePurgeBegan', data: { space: 's1' } },
      { type: 'SpacePurged', data: { space: 's1' } },
    ];
    if (began === undefined || ended === undefined) throw new Error('There are two');
    given(library, [closed])
      .when((state) => beginPurge(state, [node]))
      .then([began]);
    given(library, [closed, began])
      .when((state) => endPurge(state, [node]))
      .then([ended]);
    given(library, [closed, began, ended])
      .when((state) => endPurge(state, [node]))
      .then([]);
  });
});
