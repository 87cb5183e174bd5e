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
  wantedSince,
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

const none = { isWide: false, pages: [], full: 0, forced: new Map(), allTerms: 0, terms: new Map() };

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
    const all = { ...none, pages: ['p1', 'p2'], forced: new Map([['p2', 2]]) };
    expect(after(page, forced, started('r1', 2)).running?.wish).toEqual(all);
    const wide = { ...all, isWide: true, pages: [], terms: new Map([['g1', 3]]) };
    const running = after(page, forced, terms, started('r1', 3));
    expect(running.running?.wish).toEqual(wide);
    expect(running.wish).toEqual(none);
    expect(after(page, forced, terms, started('r1', 3), completed).wish).toEqual(none);
    expect(after(page, forced, terms, started('r1', 3), failed).wish).toEqual(wide);
  });

  it('counts what was asked for since the latest request for it', () => {
    const { wish } = after(
      created,
      requested({ cause: 'instructions' }),
      requested({ cause: 'run', pages: ['p1'], force: true }),
      requested({ cause: 'glossary', terms: ['g1', 'g2'] }),
      requested({ cause: 'glossary', terms: ['g2'] }),
    );
    const since = (page: string, ...terms: string[]) => wantedSince(wish, { page, terms });
    expect([since('p2'), since('p1'), since('p1', 'g1'), since('p2', 'g3', 'g2')]).toEqual([2, 3, 4, 5]);
  });

  it('asks nothing again that a run has done which failed later', () => {
    const full = requested({ cause: 'run', force: true });
    const again = after(created, full, started('r1', 2), failed, edited, started('r2', 3));
    expect(again.running?.wish).toEqual({ ...none, isWide: true, full: 2 });
  });

  it('keeps for pages that are not there now that all texts are to be asked for again', () => {
    const full = requested({ cause: 'instructions' });
    const idle = after(created, full, started('r1', 2), completed);
    expect(idle.wish).toEqual({ ...none, full: 2 });
  });

  it('takes another request for what a run at work or a failed one was asked for', () => {
    const terms: Data<'TranslationRunRequested'> = { cause: 'glossary', terms: ['g1'] };
    const isTaken = (...events: TranslationEvent[]) => requestRun(after(...events), terms).length > 0;
    expect(isTaken(created, requested(terms))).toBe(false);
    expect(isTaken(created, requested(terms), started('r1', 2))).toBe(true);
    expect(isTaken(created, requested(terms), started('r1', 2), failed, edited)).toBe(true);
  });

  it('looks at everything when more pages are named than it keeps', () => {
    const pages = Array.from({ length: 1_001 }, (_, i) => `p${i}`);
    expect(after(requested({ cause: 'run', pages })).wish).toEqual({ ...none, isWide: true });
    const { wish } = after(created, requested({ cause: 'run', pages, force: true }));
    expect(wish).toEqual({ ...none, isWide: true, full: 2 });
  });

  it('asks again for all texts with terms, and no others, when more terms are named than it keeps', () => {
    const terms = Array.from({ length: 1_001 }, (_, i) => `g${i}`);
    const { wish } = after(created, requested({ cause: 'glossary', terms }));
    expect(wish).toEqual({ ...none, isWide: true, allTerms: 2 });
    expect(wantedSince(wish, { page: 'p1', terms: ['g9'] })).toBe(2);
    expect(wantedSince(wish, { page: 'p1', terms: [] })).toBe(0);
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
    expect(after(created, changed, full).wish).toMatchObject({ isWide: true, full: 2 });
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
