import { describe, expect, it } from '@jest/globals';
import { AppError } from '@scriptorium/contracts';
import { given } from '@scriptorium/event-sourcing/testing';
import type { LibraryEvent } from '../library.events.js';
import { beginPurge, close, deleteCollection, deleteSpace, purgeable, restore } from '../deletion.js';
import { library, nodeIn } from '../library.js';
import { move } from '../moving/move.js';
import { addCollection, addSpace } from '../place.js';
import {
  abandon,
  beginTransfer,
  enter,
  leave,
  openTransfer,
  openTransfersOf,
  requireTransferable,
  settle,
} from './transfer.js';

const space = (id: string, parent: string | null = null, order = 'a0'): LibraryEvent => ({
  type: 'SpaceAdded',
  data: { space: id, parent, order },
});
const collection = (id: string, parent: string | null = null, order = 'a0'): LibraryEvent => ({
  type: 'CollectionAdded',
  data: { collection: id, parent, order },
});
const begun = (node: string, transfer = 't', parent: string | null = null): LibraryEvent => ({
  type: 'TransferBegan',
  data: { transfer, node, to: 'other', parent },
});
const limits = { spacesPerOrganization: 3, collectionsPerOrganization: 2 };
const incoming = (id: string, kind: 'space' | 'collection' = 'space', parent: string | null = null) => ({
  id,
  kind,
  parent,
  order: 'a5',
  deletedAt: null,
});
const coming = { transfer: 't', from: 'source', parent: null, limits, isWanted: true };
const entered = (...nodes: ReturnType<typeof incoming>[]): LibraryEvent => ({
  type: 'TransferEntered',
  data: { transfer: 't', from: 'source', nodes },
});
const conflict = new AppError('conflict', [], {
  message: 'It is being transferred to another organization at this moment',
});
const refused: LibraryEvent = { type: 'TransferRefused', data: { transfer: 't', from: 'source' } };

/** A collection with a collection, in which a space stands, and another space beside it. */
const tree = [collection('c'), collection('inner', 'c'), space('deep', 'inner'), space('s', 'c', 'a1'), space('out')];

describe('a library that something leaves', () => {
  it('says what goes along, with what contains others first', () => {
    const { state } = given(library, [...tree, { type: 'SpaceDeleted', data: { space: 'deep' } }]);
    expect(requireTransferable(state, 'c').map(({ id }) => id)).toEqual(['c', 'inner', 's', 'deep']);
    expect(requireTransferable(state, 'c').at(-1)?.deletedAt).toEqual(expect.any(String));
  });

  it('begins a transfer once', () => {
    const wanted = { transfer: 't', node: 'c', to: 'other', parent: null };
    given(library, tree)
      .when((state) => beginTransfer(state, wanted))
      .then([begun('c')]);
    given(library, [...tree, begun('c')])
      .when((state) => beginTransfer(state, wanted))
      .then([]);
  });

  it.each([
    ['what is not there', [], 's', 'not_found'],
    ['what is deleted', [{ type: 'CollectionDeleted', data: { collection: 'c' } }], 's', 'not_found'],
    ['anything of a deleted organization', [{ type: 'LibraryClosed', data: {} }], 'c', 'not_found'],
    ['what is on its way', [begun('c')], 's', 'conflict'],
    ['what contains something that is on its way', [begun('s')], 'c', 'conflict'],
    [
      'what has something in it that is being purged',
      [{ type: 'SpacePurgeBegan', data: { space: 's' } }],
      'c',
      'conflict',
    ],
    ['what has come in and has not settled', [entered(incoming('new', 'space', 'c'))], 'c', 'conflict'],
  ] as [string, LibraryEvent[], string, string][])('does not begin one of %s', (_of, more, node, reason) => {
    given(library, more.length === 0 ? [] : [...tree, ...more])
      .when((state) => beginTransfer(state, { transfer: 'u', node, to: 'other', parent: null }))
      .thenFails(reason as 'conflict');
  });

  it('changes nothing of it meanwhile', () => {
    const limit = 10;
    const { state } = given(library, [...tree, begun('c')]);
    for (const change of [
      () => addSpace(state, { space: 'new', parent: 'inner', limit }),
      () => addCollection(state, { collection: 'new', parent: 'c', limit }),
      () => move(state, { id: 's', parent: null }),
      () => move(state, { id: 'out', parent: 'c' }),
      () => deleteSpace(state, { space: 'deep' }),
      () => deleteCollection(state, { collection: 'c' }),
    ])
      expect(change).toThrow(conflict);
    expect(deleteSpace(state, { space: 'out' })).toHaveLength(1);
    const deleted = given(library, [...tree, { type: 'SpaceDeleted', data: { space: 's' } }, begun('c')]).state;
    expect(() => restore(deleted, { space: 's', now: Date.parse('2020-01-01T00:00:01.000Z') })).toThrow(conflict);
  });

  it('has nothing of it purged meanwhile, also when the organization is deleted', () => {
    const { state } = given(library, [...tree, begun('c'), { type: 'LibraryClosed', data: {} }]);
    expect(purgeable(state, { node: null }).map(({ id }) => id)).toEqual(['out']);
    expect(beginPurge(state, purgeable(state, { node: null }))).toHaveLength(1);
    expect([openTransfersOf(state, null), openTransfersOf(state, 'deep'), openTransfersOf(state, 'out')]).toEqual([
      ['t'],
      ['t'],
      [],
    ]);
    expect(close(state)).toEqual([]);
  });

  it('has nothing of it any more when the other one has it', () => {
    const { state } = given(library, [...tree, begun('c')]);
    expect(leave(state, { transfer: 't' })).toEqual([
      { type: 'CollectionLeft', data: { collection: 'c', to: 'other', transfer: 't' } },
    ]);
    const after = given(library, [...tree, begun('c'), ...leave(state, { transfer: 't' })]).state;
    expect(['c', 'inner', 'deep', 's', 'out'].map((id) => nodeIn(after, id) !== undefined)).toEqual([
      false,
      false,
      false,
      false,
      true,
    ]);
    expect(after.counts).toEqual({ space: 1, collection: 0 });
    expect([openTransfer(after, 't'), leave(after, { transfer: 't' }), abandon(after, { transfer: 't' })]).toEqual([
      undefined,
      [],
      [],
    ]);
  });

  it('keeps it when the other one refuses', () => {
    const { state } = given(library, [...tree, begun('s')]);
    const after = given(library, [...tree, begun('s'), ...abandon(state, { transfer: 't' })]).state;
    expect(deleteSpace(after, { space: 's' })).toHaveLength(1);
  });
});

describe('a library that something enters', () => {
  it('takes it in at the end, once', () => {
    given(library, [space('mine')])
      .when((state) => enter(state, { ...coming, nodes: [incoming('s')] }))
      .then([entered({ ...incoming('s'), order: 'a1' })]);
    for (const answered of [entered(incoming('s')), refused])
      given(library, [answered])
        .when((state) => enter(state, { ...coming, nodes: [incoming('s')] }))
        .then([]);
    given(library, [entered(incoming('s')), { type: 'TransferSettled', data: { transfer: 't' } }])
      .when((state) => enter(state, { ...coming, nodes: [incoming('s')] }))
      .then([]);
  });

  it('takes it into a collection', () => {
    given(library, [collection('home')])
      .when((state) =>
        enter(state, { ...coming, parent: 'home', nodes: [incoming('c', 'collection'), incoming('s', 'space', 'c')] }),
      )
      .then([entered({ ...incoming('c', 'collection', 'home'), order: 'a0' }, incoming('s', 'space', 'c'))]);
  });

  it.each([
    ['the organization was deleted', [{ type: 'LibraryClosed', data: {} }], {}],
    ['the collection is gone', [], { parent: 'gone' }],
    ['the collection is itself on its way', [collection('away'), begun('away', 'u')], { parent: 'away' }],
    ['there are too many spaces', [space('a'), space('b'), space('c')], {}],
    ['the organization that it comes from was deleted', [], { isWanted: false }],
  ] as [string, LibraryEvent[], object][])('refuses it when %s', (_when, history, more) => {
    given(library, history)
      .when((state) => enter(state, { ...coming, nodes: [incoming('s')], ...more }))
      .then([refused]);
  });

  it('refuses collections that would be too deep', () => {
    const deep = Array.from({ length: 9 }, (_, i) => collection(`c${i}`, i === 0 ? null : `c${i - 1}`));
    const more = { collectionsPerOrganization: 100, spacesPerOrganization: 100 };
    const nodes = [incoming('x', 'collection'), incoming('y', 'collection', 'x')];
    given(library, deep)
      .when((state) => enter(state, { ...coming, parent: 'c8', limits: more, nodes }))
      .then([refused]);
    expect(enter(given(library, deep).state, { ...coming, parent: 'c7', limits: more, nodes })[0]?.type).toBe(
      'TransferEntered',
    );
  });

  it('settles it once', () => {
    const settled: LibraryEvent = { type: 'TransferSettled', data: { transfer: 't' } };
    given(library, [entered(incoming('s'))])
      .when((state) => settle(state, { transfer: 't' }))
      .then([settled]);
    given(library, [entered(incoming('s')), settled])
      .when((state) => settle(state, { transfer: 't' }))
      .then([]);
  });

  it('can have back what it has transferred before', () => {
    const { state } = given(library, [
      space('s'),
      begun('s', 'u'),
      { type: 'SpaceLeft', data: { space: 's', to: 'other', transfer: 'u' } },
      entered(incoming('s')),
    ]);
    expect([nodeIn(state, 's')?.kind, state.left.size, state.counts.space]).toEqual(['space', 0, 1]);
  });
});
