import * as z from 'zod';
import { Id, listOf, paging } from './common.js';
import { operation, type Service } from './operation.js';
import { Run } from './run.js';

/*
 * What operators see and do in each service: progress of read models and reactors, parked events, timers, runs, and a
 * rebuild beside the live read model. All services have the same operations. No payload of an event is ever shown.
 */

const Position = z
  .string()
  .regex(/^-?\d+$/)
  .meta({ description: 'Commit position in the event log; -1 before the first event.' });

export const ConsumerStatus = z
  .object({
    object: z.literal('consumer'),
    name: z.string(),
    kind: z.enum(['projection', 'reactor']),
    state: z.enum(['building', 'live', 'stopped', 'unknown']).optional(),
    position: Position,
    problem: z
      .object({ message: z.string(), eventId: z.string(), eventType: z.string(), stream: z.string() })
      .optional(),
    trouble: z.string().optional(),
  })
  .meta({ id: 'ConsumerStatus' });

export const ParkedEvent = z
  .object({
    object: z.literal('parked-event'),
    id: z.string(),
    consumer: z.string(),
    stream: z.string(),
    eventId: z.string(),
    eventType: z.string(),
    revision: z.string(),
    position: Position,
    error: z.string(),
    attempts: z.int(),
    waiting: z.boolean().meta({ description: 'Never tried: it waits behind another event of its stream.' }),
    parkedAt: z.string(),
  })
  .meta({ id: 'ParkedEvent' });

export const Timer = z
  .object({
    object: z.literal('timer'),
    id: z.string(),
    at: z.string(),
    command: z.string(),
    parked: z.boolean(),
    error: z.string().optional(),
  })
  .meta({ id: 'Timer' });

const Contents = z.object({ documents: z.int(), hash: z.string() });

export const RebuildResult = z
  .object({
    object: z.literal('rebuild'),
    projection: z.string(),
    position: Position,
    live: Contents,
    rebuilt: Contents,
    equal: z.boolean(),
    changing: z.int().meta({ description: 'Documents that changed meanwhile and are in neither hash.' }),
    events: z.int(),
    ms: z.number(),
  })
  .meta({ id: 'RebuildResult' });

// The same for each service, so the OpenAPI document has each of them once.
const ConsumerStatusList = listOf(ConsumerStatus).meta({ id: 'ConsumerStatusList' });
const ParkedEventList = listOf(ParkedEvent).meta({ id: 'ParkedEventList' });
const TimerList = listOf(Timer).meta({ id: 'TimerList' });
const RunList = listOf(Run).meta({ id: 'RunList' });

const access = { tokens: ['personal'], resource: 'installation', view: ['anyone'], allow: ['operator'] } as const;
const rebuildWithinMs = 300_000;

/** The operators' operations of one service. `Name` is its name with a capital letter. */
export function operatorOperations<Name extends string>(service: Service, name: Name) {
  return { ...consuming(service, name), ...rebuilding(service, name), ...working(service, name) };
}

const base = { tag: 'Operation', access, dryRun: false } as const;

/** Operations about consumers of the log. */
function consuming<Name extends string>(service: Service, name: Name) {
  const path = `/operator/${service}`;
  return {
    consumers: operation({
      ...base,
      service,
      id: `list${name}Consumers`,
      method: 'GET',
      path: `${path}/consumers`,
      summary: 'List projections and reactors with their positions',
      query: z.object(paging),
      response: ConsumerStatusList,
    }),
    parked: operation({
      ...base,
      service,
      id: `list${name}ParkedEvents`,
      method: 'GET',
      path: `${path}/parked-events`,
      summary: 'List the events that reactors gave up',
      query: z.object(paging),
      response: ParkedEventList,
    }),
    retry: operation({
      ...base,
      service,
      id: `retry${name}ParkedEvent`,
      method: 'POST',
      path: `${path}/parked-events/{parkedEventId}/retry`,
      summary: 'Have a parked event tried again, and what waits behind it',
      params: z.object({ parkedEventId: z.string().min(1).max(256) }),
    }),
  };
}

/** Operations about rebuilds of read models. */
function rebuilding<Name extends string>(service: Service, name: Name) {
  const path = `/operator/${service}`;
  return {
    rebuild: operation({
      ...base,
      service,
      id: `rebuild${name}Projection`,
      method: 'POST',
      path: `${path}/projections/{projection}/rebuild`,
      summary: 'Rebuild a projection from the first event beside the live one, and compare both',
      params: z.object({ projection: z.string().regex(/^[a-z0-9_]{1,64}$/) }),
      response: RebuildResult,
      deadlineMs: rebuildWithinMs,
    }),
  };
}

/** Operations about timers and runs. */
function working<Name extends string>(service: Service, name: Name) {
  const path = `/operator/${service}`;
  return {
    timers: operation({
      ...base,
      service,
      id: `list${name}Timers`,
      method: 'GET',
      path: `${path}/timers`,
      summary: 'List the timers that are due next',
      query: z.object(paging),
      response: TimerList,
    }),
    runs: operation({
      ...base,
      service,
      id: `list${name}Runs`,
      method: 'GET',
      path: `${path}/runs`,
      summary: 'List the runs that are open and those that ended lately, the oldest first',
      query: z.object({
        ...paging,
        open: z.boolean().optional().meta({ description: 'Only those that have not ended, or only those that have.' }),
      }),
      response: RunList,
    }),
    cancelRun: operation({
      ...base,
      service,
      id: `cancel${name}Run`,
      method: 'POST',
      path: `${path}/runs/{runId}/cancel`,
      summary: 'Have a run end at its next step boundary',
      params: z.object({ runId: Id }),
      reasons: ['conflict'],
    }),
  };
}

export type OperatorOperations = ReturnType<typeof operatorOperations>;
