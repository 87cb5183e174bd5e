import { describe, it } from '@jest/globals';
import { given } from '@scriptorium/event-sourcing/testing';
import { begin, close, create, put, record, refresh, remove, show, specs } from './spec.js';
import type { SpecEvent } from './spec.events.js';

const url = { kind: 'url', name: 'url-1' } as const;
const text = { kind: 'text', name: 'hash' } as const;
const wanted = { id: 's1', slug: 'Shop', field: 'body.slug', source: url, limit: 2 };
const created: SpecEvent = { type: 'OpenAPISpecCreated', data: { spec: 's1', slug: 'Shop', source: url } };
const started = (run: string, request: number): SpecEvent => ({
  type: 'OpenAPISpecProcessingStarted',
  data: { spec: 's1', run, request },
});
const forms = {
  version: 'v1',
  document: 'd',
  outline: 'o',
  pack: 'p',
  bytes: 1,
  operations: 1,
  schemas: 0,
  problems: 0,
  changes: null,
};
const added: SpecEvent = { type: 'OpenAPISpecVersionAdded', data: { spec: 's1', run: 'r1', ...forms } };
const requested = (cause: 'put' | 'timer', source?: typeof url): SpecEvent => ({
  type: 'OpenAPISpecUpdateRequested',
  data: { spec: 's1', cause, ...(source && { source }) },
});

describe('a specification', () => {
  it('is created once for each slug, in upper and lower case together, up to a limit', () => {
    given(specs, [])
      .when((state) => create(state, wanted))
      .then([created]);
    given(specs, [created])
      .when((state) => create(state, { ...wanted, id: 's2', slug: 'sHOP' }))
      .thenFails('conflict');
    given(specs, [created])
      .when((state) => create(state, { ...wanted, id: 's2', slug: 'b', limit: 1 }))
      .thenFails('limit_reached');
    given(specs, [{ type: 'OpenAPISpecsClosed', data: {} }])
      .when((state) => create(state, wanted))
      .thenFails('not_found');
  });

  it('is read again when it is put, and created when it is not there', () => {
    given(specs, [])
      .when((state) => put(state, wanted))
      .then([created]);
    given(specs, [created])
      .when((state) => put(state, wanted))
      .then([requested('put', url)]);
    given(specs, [created])
      .when((state) => put(state, { ...wanted, slug: 'shop' }))
      .thenFails('conflict');
    given(specs, [created])
      .when((state) => put(state, { ...wanted, id: 'other' }))
      .thenFails('conflict');
  });

  it('is read by one run at a time, which answers all requests until then', () => {
    given(specs, [created])
      .when((state) => begin(state, 's1', 'r1'))
      .then([started('r1', 1)]);
    given(specs, [created, started('r1', 1)])
      .when((state) => begin(state, 's1', 'r1'))
      .then([]);
    given(specs, [created, started('r1', 1)])
      .when((state) => begin(state, 's1', 'r2'))
      .then([]);
    given(specs, [created, started('r1', 1), added])
      .when((state) => begin(state, 's1', 'r2'))
      .then([]);
    given(specs, [created, started('r1', 1), requested('put', url), added])
      .when((state) => begin(state, 's1', 'r2'))
      .then([started('r2', 2)]);
    given(specs, [])
      .when((state) => begin(state, 's1', 'r1'))
      .then([]);
  });

  it('gets a version when its document is another one', () => {
    const history = [created, started('r1', 1)];
    given(specs, history)
      .when((state) => record(state, 's1', 'r1', forms))
      .then([added]);
    given(specs, history)
      .when((state) => record(state, 's1', 'r2', forms))
      .then([]);
    given(specs, [created])
      .when((state) => record(state, 's1', 'r1', forms))
      .then([]);
    given(specs, [...history, added, requested('timer'), started('r2', 2)])
      .when((state) => record(state, 's1', 'r2', { ...forms, version: 'v2' }))
      .then([{ type: 'OpenAPISpecChecked', data: { spec: 's1', run: 'r2', problems: 0 } }]);
    given(specs, history)
      .when((state) => record(state, 's1', 'r1', { code: 'PARSE_ERROR', problems: 1 }))
      .then([
        { type: 'OpenAPISpecProcessingFailed', data: { spec: 's1', run: 'r1', code: 'PARSE_ERROR', problems: 1 } },
      ]);
  });

  it('is read again by time when it has a URL, and nothing is waiting', () => {
    const read = [created, started('r1', 1), added];
    given(specs, read)
      .when((state) => refresh(state, 's1'))
      .then([requested('timer')]);
    given(specs, [created])
      .when((state) => refresh(state, 's1'))
      .then([]);
    const ofText: SpecEvent = { type: 'OpenAPISpecCreated', data: { spec: 's1', slug: 'Shop', source: text } };
    given(specs, [ofText, started('r1', 1), added])
      .when((state) => refresh(state, 's1'))
      .then([]);
  });

  it('is shown, hidden and deleted', () => {
    const shown: SpecEvent = { type: 'OpenAPISpecVisibilityChanged', data: { spec: 's1', visibility: 'public' } };
    const deleted: SpecEvent = { type: 'OpenAPISpecDeleted', data: { spec: 's1' } };
    given(specs, [created])
      .when((state) => show(state, 'shop', 'public'))
      .then([shown]);
    given(specs, [created, shown])
      .when((state) => show(state, 'shop', 'public'))
      .then([]);
    given(specs, [created])
      .when((state) => show(state, 'shop', undefined))
      .then([]);
    given(specs, [])
      .when((state) => show(state, 'shop', 'public'))
      .thenFails('not_found');
    given(specs, [created])
      .when((state) => remove(state, 'SHOP'))
      .then([deleted]);
    given(specs, [created, deleted])
      .when((state) => remove(state, 'Shop'))
      .then([]);
    given(specs, [created])
      .when(close)
      .then([deleted, { type: 'OpenAPISpecsClosed', data: {} }]);
  });
});
