import { describe, expect, it } from '@jest/globals';
import { AppError } from '@scriptorium/contracts';
import { z } from 'zod';
import { given } from '../testing.js';
import { cancelRun, endRun, noteProgress, requestRun, runOf } from './run.js';
import { defineRun, failureOf, jsonWithinBounds } from './run-kind.js';

const run = runOf('identity');
const wanted = { kind: 'copy', version: 1, input: { from: 'a' } };
const requested = { type: 'RunRequested', data: wanted } as const;
const progressed = { type: 'RunProgressed', data: { step: 3, state: { at: 3 } } } as const;
const cancelled = { type: 'RunCancelled', data: {} } as const;
const ended = { type: 'RunEnded', data: { outcome: 'done', result: 7 } } as const;

describe('a run', () => {
  it('is requested once for its id', () => {
    given(run, [])
      .when((state) => requestRun(state, wanted))
      .then([requested]);
    for (const history of [[requested], [requested, ended]])
      given(run, history)
        .when((state) => requestRun(state, wanted))
        .then([]);
  });

  it('is not requested under the id of a run of another kind or with another input', () => {
    for (const other of [
      { ...wanted, kind: 'purge' },
      { ...wanted, input: { from: 'b' } },
    ])
      given(run, [requested])
        .when((state) => requestRun(state, other))
        .thenFails('already_exists');
  });

  it('records later progress than that of its stream while it is open', () => {
    const at = (step: number) => ({ step, state: { at: step }, progress: { done: step } });
    const later = { type: 'RunProgressed', data: at(4) } as const;
    given(run, [requested, progressed])
      .when((state) => noteProgress(state, at(4)))
      .then([later]);
    given(run, [requested, progressed])
      .when((state) => noteProgress(state, at(3)))
      .then([]);
    given(run, [requested, ended])
      .when((state) => noteProgress(state, at(4)))
      .then([]);
  });

  it('is cancelled once, and not after its end', () => {
    given(run, [requested]).when(cancelRun).then([cancelled]);
    given(run, [requested, cancelled]).when(cancelRun).then([]);
    given(run, [requested, ended]).when(cancelRun).then([]);
    given(run, []).when(cancelRun).thenFails('not_found');
  });

  it('ends once', () => {
    const failure = { reason: 'not_found', message: 'Not found' };
    given(run, [requested])
      .when((state) => endRun(state, { outcome: 'failed', failure }))
      .then([{ type: 'RunEnded', data: { outcome: 'failed', failure } }]);
    given(run, [requested, ended])
      .when((state) => endRun(state, { outcome: 'cancelled' }))
      .then([]);
  });

  it('keeps who requested it, and the last state of its stream', () => {
    expect(given(run, [requested, progressed, cancelled], { organization: 'o1' }).state).toMatchObject({
      status: 'open',
      request: { ...wanted, actor: { kind: 'user', id: 'actor' }, organization: 'o1' },
      point: { step: 3, state: { at: 3 } },
      cancelled: true,
    });
  });
});

describe('the failure of a run', () => {
  it('contains reason and message of an `AppError`, and no details of unexpected errors', () => {
    expect(failureOf(new AppError('limit_reached', [], { message: 'There are too many' }))).toEqual({
      reason: 'limit_reached',
      message: 'There are too many',
    });
    for (const error of [new Error('10.0.0.1 is away'), new AppError('unexpected', [], { message: 'inside' }), 'text'])
      expect(failureOf(error)).toEqual({ reason: 'unexpected', message: 'Unexpected error' });
  });
});

describe('a kind of run', () => {
  it('has a name in snake_case', () => {
    const of = (kind: string) => defineRun({ kind, input: z.object({}), state: z.null(), begin: () => null });
    expect(of('space_import').name).toBe('space_import_v1');
    expect(() => of('Space import')).toThrow('snake_case');
  });

  it('passes on at most 64 KiB', () => {
    expect(jsonWithinBounds('the state', 'x'.repeat(60_000))).toHaveLength(60_002);
    expect(() => jsonWithinBounds('the state', 'é'.repeat(40_000))).toThrow('the state of a run is larger than');
  });
});
