import { AppError } from '@scriptorium/contracts';
import { z } from 'zod';
import { type Aggregate, defineAggregate } from '../aggregates/aggregate.js';
import {
  type RunFailure,
  type RunOutcome,
  type RunProgress,
  runFailureSchema,
  runProgressSchema,
} from '../commands/run-request.js';
import { type EventOf, defineEvents, unchanged, type Actor, type Metadata, type Within } from '../events/events.js';

/**
 * A run is long work on request, done in steps by any replica. Its stream records the request, its progress and its
 * end. What changes more often is in `op_runs`.
 */
export const runEvents = defineEvents({
  /** `input` is JSON. It contains ids and no texts, since events are kept forever. */
  RunRequested: z.object({ kind: z.string(), version: z.int(), input: z.unknown() }),
  /** `step` steps are finished, and `state` (JSON) is the input of the next one. */
  RunProgressed: z.object({ step: z.int(), state: z.unknown(), progress: runProgressSchema.optional() }),
  RunCancelled: z.object({}),
  RunEnded: z.object({
    outcome: z.enum(['done', 'failed', 'cancelled']),
    result: z.unknown().optional(),
    failure: runFailureSchema.optional(),
  }),
});
export type RunEvent = EventOf<typeof runEvents>;

export interface RunEnd {
  readonly outcome: RunOutcome;
  readonly result?: unknown;
  readonly failure?: RunFailure | undefined;
}

/** The request for a run, with the principal. */
export interface RunRequest {
  readonly kind: string;
  readonly version: number;
  readonly input: unknown;
  readonly actor: Actor;
  readonly organization: string | null;
  readonly correlation: string;
  readonly within?: Within | undefined;
  /** Milliseconds since 1970. */
  readonly requestedAt: number;
}

/** The last state in its stream. */
export interface RunPoint {
  readonly step: number;
  readonly state: unknown;
  readonly progress?: RunProgress | undefined;
}

export type Run =
  | { readonly status: 'absent' }
  | {
      readonly status: 'open';
      readonly request: RunRequest;
      readonly point: RunPoint | null;
      readonly cancelled: boolean;
    }
  | {
      readonly status: 'ended';
      readonly request: RunRequest;
      readonly point: RunPoint | null;
      readonly end: RunEnd;
      /** Milliseconds since 1970. */
      readonly endedAt: number;
    };

const absent: Run = { status: 'absent' };

function evolve(run: Run, event: RunEvent, meta: Metadata): Run {
  if (event.type === 'RunRequested') return run.status === 'absent' ? requested(event.data, meta) : run;
  if (run.status !== 'open') return run;
  switch (event.type) {
    case 'RunProgressed':
      return { ...run, point: event.data };
    case 'RunCancelled':
      return { ...run, cancelled: true };
    case 'RunEnded':
      return {
        status: 'ended',
        request: run.request,
        point: run.point,
        end: event.data,
        endedAt: Date.parse(meta.time),
      };
    default:
      return unchanged(run, event);
  }
}

function requested(
  { kind, version, input }: Pick<RunRequest, 'kind' | 'version' | 'input'>,
  { actor, organization, correlation, within, time }: Metadata,
): Run {
  const asked = { kind, version, input, actor, organization, correlation, requestedAt: Date.parse(time) };
  const request = within === undefined ? asked : { ...asked, within };
  return { status: 'open', request, point: null, cancelled: false };
}

export type RunAggregate = Aggregate<Run, RunEvent>;

/** The runs of one service. */
export function runOf(service: string): RunAggregate {
  return defineAggregate({ service, entity: 'run', events: runEvents, initial: absent, evolve });
}

/**
 * Requests a run, once for its id.
 * @throws AppError `already_exists` when the id belongs to another run
 */
export function requestRun(run: Run, wanted: Pick<RunRequest, 'kind' | 'version' | 'input'>): RunEvent[] {
  const { kind, version, input } = wanted;
  if (run.status === 'absent') return [{ type: 'RunRequested', data: { kind, version, input } }];
  const same = run.request.kind === kind && JSON.stringify(run.request.input) === JSON.stringify(input);
  if (!same) throw new AppError('already_exists', [], { message: 'There is another run with this id' });
  return [];
}

/** Records the state after `step` steps, unless the stream contains a later one. */
export function noteProgress(run: Run, point: RunPoint): RunEvent[] {
  if (run.status !== 'open' || point.step <= (run.point?.step ?? 0)) return [];
  const { step, state, progress } = point;
  return [{ type: 'RunProgressed', data: { step, state, ...(progress === undefined ? {} : { progress }) } }];
}

/**
 * Cancels a run after its present step. No event for a run that has ended.
 * @throws AppError `not_found`
 */
export function cancelRun(run: Run): RunEvent[] {
  if (run.status === 'absent') throw new AppError('not_found');
  return run.status === 'ended' || run.cancelled ? [] : [{ type: 'RunCancelled', data: {} }];
}

/** Ends a run, once. */
export function endRun(run: Run, { outcome, result, failure }: RunEnd): RunEvent[] {
  if (run.status !== 'open') return [];
  const data = {
    outcome,
    ...(result === undefined ? {} : { result }),
    ...(failure === undefined ? {} : { failure }),
  };
  return [{ type: 'RunEnded', data }];
}
