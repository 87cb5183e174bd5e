import { describe, expect, it } from '@jest/globals';
import { given } from '@scriptorium/event-sourcing/testing';
import type { LibraryEvent } from '../library.events.js';
import { deleteCollection } from '../deletion.js';
import { childrenOf, library } from '../library.js';
import { move, moveBeside, type Move } from './move.js';
import { addCollection } from '../place.js';

const space = (id: string, order: string, parent: string | null = null): LibraryEvent => ({
  type: 'SpaceAdded',
  data: { space: id, parent, order },
});
const collection = (id: string, order: string, parent: string | null = null): LibraryEvent => ({
  type: 'CollectionAdded',
  data: { collection: id, parent, order },
});
const three = [space('a', 'a0'), collection('b', 'a1'), space('c', 'a2')];
const nested = (depth: number, first = 'n0'): LibraryEvent[] =>
  Array.from({ length: depth }, (_, i) =>
    collection(i === 0 ? first : `${first}${i}`, 'a5', i === 0 ? null : i === 1 ? first : `${first}${i - 1}`),
  );

/** The children of the top, or of a collection, after a move. */
function after(history: readonly LibraryEvent[], wanted: Move, parent: string | null = null): string[] {
  const { state } = given(library, history);
  const then = given(library, [...history, ...move(state, wanted)]);
  return childrenOf(then.state, parent).map(({ id }) => id);
}

describe('a move', () => {
  it('puts something directly before or after a sibling, or at the end', () => {
    expect(after(three, { id: 'c', before: 'b' })).toEqual(['a', 'c', 'b']);
    expect(after(three, { id: 'a', after: 'b' })).toEqual(['b', 'a', 'c']);
    expect(after(three, { id: 'a', parent: null })).toEqual(['b', 'c', 'a']);
    expect(after([...three, space('d', 'a0', 'b')], { id: 'a', parent: 'b', before: 'd' }, 'b')).toEqual(['a', 'd']);
  });

  it('is refused when nothing would change', () => {
    for (const wanted of [
      { id: 'c', parent: null },
      { id: 'a', before: 'b' },
      { id: 'c', after: 'b' },
    ])
      given(library, three)
        .when((state) => move(state, wanted))
        .thenFails('no_change');
  });

  it('is refused beside what is not there, itself, or two things', () => {
    const deleted: LibraryEvent = { type: 'SpaceDeleted', data: { space: 'c' } };
    for (const wanted of [{ before: 'x' }, { before: 'a' }, { after: 'c' }, { before: 'b', after: 'b' }])
      given(library, [...three, deleted])
        .when((state) => move(state, { id: 'a', ...wanted }))
        .thenFails('position_invalid');
    given(library, [...three, deleted])
      .when((state) => move(state, { id: 'c', parent: 'b' }))
      .thenFails('not_found');
    given(library, three)
      .when((state) => move(state, { id: 'a', parent: 'c' }))
      .thenFails('not_found');
  });

  it('does not put a collection into itself', () => {
    for (const parent of ['n0', 'n02'])
      given(library, nested(3))
        .when((state) => move(state, { id: 'n0', parent }))
        .thenFails('position_invalid');
  });

  it('makes nothing deeper than ten collections', () => {
    const history = [...nested(8), ...nested(3, 'm')];
    given(library, history)
      .when((state) => move(state, { id: 'm', parent: 'n07' }))
      .thenFails('position_invalid');
    expect(after(history, { id: 'm', parent: 'n06' }, 'n06')).toEqual(['n07', 'm']);
    given(library, nested(10))
      .when((state) => addCollection(state, { collection: 'x', parent: 'n09', limit: 100 }))
      .thenFails('position_invalid');
  });

  it('keeps keys short, however often something is put at the same place', () => {
    let history = three;
    for (let round = 0; round < 600; round += 1) {
      const id = round % 2 === 0 ? 'c' : 'b';
      const { state } = given(library, history);
      const events = move(state, { id, after: 'a' });
      history = childrenAfter([...history, ...events]);
    }
    const children = childrenOf(given(library, history).state, null);
    expect(children.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
    expect(Math.max(...children.map(({ order }) => order.length))).toBeLessThanOrEqual(64);
  });
});

describe('a space that follows another one', () => {
  const follow = { space: 'a', beside: 'd' };
  const inside = [...three, space('d', 'a0', 'b'), space('e', 'a1', 'b')];
  const follows = (history: readonly LibraryEvent[]) =>
    given(library, history).when((state) => moveBeside(state, follow));

  it('comes to stand directly after it', () => {
    follows(inside).then([{ type: 'SpaceMoved', data: { space: 'a', parent: 'b', order: 'a0V' } }]);
    given(library, inside)
      .when((state) => moveBeside(state, { space: 'e', beside: 'a' }))
      .then([{ type: 'SpaceMoved', data: { space: 'e', parent: null, order: 'a0V' } }]);
  });

  it('stays where it is in the same place, and when one of them is deleted or gone, or everything is', () => {
    follows([...three, space('d', 'a3')]).then([]);
    follows(three).then([]);
    for (const id of ['a', 'd']) {
      follows([...inside, { type: 'SpaceDeleted', data: { space: id } }]).then([]);
      follows([...inside, { type: 'SpacePurged', data: { space: id } }]).then([]);
    }
    follows([...inside, { type: 'CollectionDeleted', data: { collection: 'b' } }]).then([]);
    follows([...inside, { type: 'LibraryClosed', data: {} }]).then([]);
  });

  it('is refused for now while it, or where it would stand, is transferred', () => {
    for (const node of ['a', 'b'])
      follows([...inside, { type: 'TransferBegan', data: { transfer: 't', node, to: 'o', parent: null } }]).thenFails(
        'conflict',
      );
  });
});

describe('a collection', () => {
  it('is deleted once, by itself or with one that contains it', () => {
    const deleted: LibraryEvent = { type: 'CollectionDeleted', data: { collection: 'n0' } };
    given(library, nested(2))
      .when((state) => deleteCollection(state, { collection: 'n0' }))
      .then([deleted]);
    for (const id of ['n0', 'n01', 'unknown'])
      given(library, [...nested(2), deleted])
        .when((state) => deleteCollection(state, { collection: id }))
        .then([]);
  });

  it('is added as long as there is room', () => {
    given(library, nested(2))
      .when((state) => addCollection(state, { collection: 'x', parent: null, limit: 2 }))
      .thenFails('limit_reached');
    given(library, [])
      .when((state) => addCollection(state, { collection: 'x', parent: null, limit: 2 }))
      .then([collection('x', 'a0')]);
  });
});

/** The shortest history that leads to where these events lead. */
function childrenAfter(history: readonly LibraryEvent[]): LibraryEvent[] {
  return childrenOf(given(library, history).state, null).map(({ id, order }) =>
    id === 'b' ? collection(id, order) : space(id, order),
  );
}
