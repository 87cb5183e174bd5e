import { describe, expect, it } from '@jest/globals';
import { given } from '@scriptorium/event-sourcing/testing';
import {
  begin,
  end,
  instruct,
  pin,
  record,
  requestRun,
  statusOf,
  translation,
  type Translation,
} from './translation.js';
import type { TranslationEvent } from './translation.events.js';

type Data<T extends TranslationEvent['type']> = Extract<TranslationEvent, { type: T }>['data'];
const requested = (data: Data<'TranslationRunRequested'>): TranslationEvent => ({
  type: 'TranslationRunRequested',
  data,
});
const created = requested({ cause: 'create' });
const edited = requested({ cause: 'source' });
const started = (run: string, request: number, revision = 'v1'): TranslationEvent => ({
  type: 'TranslationRunStarted',
  data: { run, request, revision },
});
const outcome = {
  revision: 'w1',
  pages: 2,
  totalPages: 2,
  words: 10,
  seconds: 1,
  segments: { reused: 0, translated: 3, kept: 0 },
  usage: { characters: 50, promptTokens: 0, completionTokens: 0 },
};
const failure = { reason: 'provider_error', attempts: 3 } as const;
const completed: TranslationEvent = { type: 'TranslationRunCompleted', data: { run: 'r1', ...outcome } };
const failed: TranslationEvent = { type: 'TranslationRunFailed', data: { run: 'r1', ...failure } };
const ended: TranslationEvent = { type: 'TranslationEnded', data: {} };

/** The state after events. */
const after = (...events: TranslationEvent[]): Translation => given(translation, events).state;

describe('a translation', () => {
  it('is pending, running and completed, and pending again by a request while it runs', () => {
    expect(statusOf(after(created))).toBe('pending');
    expect(statusOf(after(created, started('r1', 1)))).toBe('running');
    expect(statusOf(after(created, started('r1', 1), completed))).toBe('completed');
    expect(statusOf(after(created, started('r1', 1), edited))).toBe('running');
    expect(statusOf(after(created, started('r1', 1), edited, completed))).toBe('pending');
    expect(statusOf(after(created, started('r1', 1), failed))).toBe('completed');
  });

  it('has one run at a time, which answers all requests until then', () => {
    given(translation, [created])
      .when((state) => begin(state, 'r1', 'v1'))
      .then([started('r1', 1)]);
    given(translation, [created, started('r1', 1)])
      .when((state) => begin(state, 'r2', 'v2'))
      .then([]);
    given(translation, [created, started('r1', 1), completed])
      .when((state) => begin(state, 'r2', 'v2'))
      .then([]);
    given(translation, [created, started('r1', 1), edited, completed])
      .when((state) => begin(state, 'r2', 'v2'))
      .then([started('r2', 2, 'v2')]);
  });

  it('adds no request to one that waits and does as much', () => {
    given(translation, [created])
      .when((state) => requestRun(state, { cause: 'source' }))
      .then([]);
    given(translation, [created])
      .when((state) => requestRun(state, { cause: 'run', force: true }))
      .then([requested({ cause: 'run', force: true })]);
    given(translation, [requested({ cause: 'run', force: true })])
      .when((state) => requestRun(state, { cause: 'run', pages: ['p1'] }))
      .then([]);
    given(translation, [created, started('r1', 1)])
      .when((state) => requestRun(state, { cause: 'source' }))
      .then([edited]);
    given(translation, [created, started('r1', 1), edited])
      .when((state) => requestRun(state, { cause: 'source' }))
      .then([]);
  });

  it('records what its run has come to, and nothing of another one', () => {
    const running = [created, started('r1', 1)];
    given(translation, running)
      .when((state) => record(state, 'r1', outcome))
      .then([completed]);
    given(translation, running)
      .when((state) => record(state, 'r1', failure))
      .then([failed]);
    given(translation, running)
      .when((state) => record(state, 'r2', outcome))
      .then([]);
    given(translation, [...running, completed])
      .when((state) => record(state, 'r1', outcome))
      .then([]);
    expect(after(...running, completed).translated).toBe('v1');
    expect(after(...running, failed).translated).toBeNull();
  });

  it('gives a run what all requests ask for, and the next one what a failed run has not done', () => {
    const page = requested({ cause: 'run', pages: ['p1'] });
    const forced = requested({ cause: 'run', pages: ['p2'], force: true });
    const terms = requested({ cause: 'glossary', terms: ['g1'] });
    const since = Date.parse('2020-01-01T00:00:00.000Z');
    const all = { isFull: false, pages: ['p1', 'p2'], forced: ['p2'], terms: ['g1'], since };
    const running = after(page, forced, terms, started('r1', 3));
    expect(running.running?.wish).toEqual(all);
    expect(running.wish).toEqual({ isFull: false, pages: [], forced: [], terms: [], since: 0 });
    expect(after(page, forced, terms, started('r1', 3), completed).wish.pages).toEqual([]);
    expect(after(page, forced, terms, started('r1', 3), failed).wish).toEqual(all);
  });

  it('looks at everything when more is named than it keeps', () => {
    const pages = Array.from({ length: 1_001 }, (_, i) => `p${i}`);
    expect(after(requested({ cause: 'run', pages })).wish).toEqual({
      ...{ isFull: true, pages: [], forced: [], terms: [], since: 0 },
    });
  });

  it('is translated as a whole by other instructions', () => {
    const changed: TranslationEvent = { type: 'TranslationInstructionsChanged', data: { text: 'i1' } };
    const full = requested({ cause: 'instructions' });
    given(translation, [created])
      .when((state) => instruct(state, 'i1'))
      .then([changed, full]);
    given(translation, [created, changed, full])
      .when((state) => instruct(state, 'i1'))
      .then([]);
    expect(after(created, changed, full).wish.isFull).toBe(true);
  });

  it('takes corrections of segments, and a run for them', () => {
    const idle = [created, started('r1', 1), completed];
    const segment = { segment: 's1', pages: ['p1'] };
    const forPin = requested({ cause: 'pin', pages: ['p1'] });
    given(translation, idle)
      .when((state) => pin(state, { ...segment, isPinned: true }))
      .then([{ type: 'TranslationSegmentPinned', data: { segment: 's1' } }, forPin]);
    given(translation, [created, forPin])
      .when((state) => pin(state, { ...segment, isPinned: false }))
      .then([{ type: 'TranslationSegmentUnpinned', data: { segment: 's1' } }]);
  });

  it('takes nothing after its end, and its run records nothing', () => {
    given(translation, [created, started('r1', 1)])
      .when(end)
      .then([ended]);
    given(translation, [created, ended]).when(end).then([]);
    given(translation, [created, started('r1', 1), ended])
      .when((state) => record(state, 'r1', outcome))
      .then([]);
    given(translation, [created, ended])
      .when((state) => begin(state, 'r1', 'v1'))
      .then([]);
    for (const decide of [
      (state: Translation) => requestRun(state, { cause: 'run' }),
      (state: Translation) => instruct(state, 'i1'),
      (state: Translation) => pin(state, { segment: 's1', pages: [], isPinned: true }),
    ])
      given(translation, [created, ended]).when(decide).thenFails('not_found');
  });
});
