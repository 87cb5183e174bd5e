import { describe, it } from '@jest/globals';
import { given } from '@scriptorium/event-sourcing/testing';
import { change, close, glossary, type TermChange } from './glossary.js';
import type { GlossaryEvent } from './glossary.events.js';

const changed = (data: Partial<Extract<GlossaryEvent, { type: 'GlossaryChanged' }>['data']>): GlossaryEvent => ({
  type: 'GlossaryChanged',
  data: { inserted: [], updated: [], deleted: [], text: 't', ...data },
});
const closed: GlossaryEvent = { type: 'GlossaryClosed', data: {} };
const operation = (type: TermChange['type'], id: string): TermChange => ({ type, id });

describe('the glossary of an organization', () => {
  it('has its entries inserted, changed and deleted together', () => {
    const changes = [operation('insert', 'c'), operation('update', 'a'), operation('delete', 'b')];
    given(glossary, [changed({ inserted: ['a', 'b'] })])
      .when((state) => change(state, { changes, text: 't', limit: 10 }))
      .then([changed({ inserted: ['c'], updated: ['a'], deleted: ['b'] })]);
  });

  it('refuses to change an entry that is not there, and one twice', () => {
    given(glossary, [])
      .when((state) => change(state, { changes: [operation('update', 'a')], text: 't', limit: 10 }))
      .thenFails('invalid_request');
    given(glossary, [changed({ inserted: ['a'] })])
      .when((state) =>
        change(state, { changes: [operation('update', 'a'), operation('delete', 'a')], text: 't', limit: 10 }),
      )
      .thenFails('invalid_request');
  });

  it('has nothing to do for entries that are gone, or inserted already', () => {
    given(glossary, [changed({ inserted: ['a', 'b'] }), changed({ deleted: ['b'] })])
      .when((state) =>
        change(state, { changes: [operation('insert', 'a'), operation('delete', 'b')], text: 't', limit: 10 }),
      )
      .then([]);
  });

  it('has a limit, below which deletions bring it', () => {
    const two = changed({ inserted: ['a', 'b'] });
    given(glossary, [two])
      .when((state) => change(state, { changes: [operation('insert', 'c')], text: 't', limit: 2 }))
      .thenFails('limit_reached');
    given(glossary, [two])
      .when((state) =>
        change(state, { changes: [operation('insert', 'c'), operation('delete', 'a')], text: 't', limit: 2 }),
      )
      .then([changed({ inserted: ['c'], deleted: ['a'] })]);
    given(glossary, [two])
      .when((state) => change(state, { changes: [operation('delete', 'a')], text: 't', limit: 1 }))
      .then([changed({ deleted: ['a'] })]);
  });

  it('takes nothing when the organization is gone', () => {
    given(glossary, []).when(close).then([closed]);
    given(glossary, [closed]).when(close).then([]);
    given(glossary, [closed])
      .when((state) => change(state, { changes: [operation('insert', 'a')], text: 't', limit: 10 }))
      .thenFails('not_found');
  });
});
