import * as z from 'zod';
import { listOf, paging } from './common.js';
import { operation, type Service } from './operation.js';

/*
 * What operators see and do in each service (ruling 8): how far its read models and reactors are, what reactors gave up,
 * and a rebuild beside the live read model. The same operations for every service. No payload of an event is ever shown.
 */

const Position = z.string().regex(/^-?\d+$/).meta({ description: 'Commit position in the event log; -1 before the first event.' });

export const ConsumerStatus = z
  .object({
    object: z.literal('consumer'),
    name: z.string(),
    kind: z.enum(['projection', 'reactor']),
    state: z.enum(['building', 'live', 'stopped', 'unknown']).optional(),
    position: Position,
    problem: z.object({ message: z.string(), eventId: z.string(), eventType: z.string(), stream: z.string() }).optional(),
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
  .object({ object: z.literal('timer'), id: z.string(), at: z.string(), command: z.string(), parked: z.boolean(), error: z.string().optional() })
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

const access = { tokens: ['personal'], resource: 'installation', view: ['anyone'], allow: ['operator'] } as const;
const rebuildWithinMs = 300_000;

/** The operators' operations of one service; `Name` is its name with a capital. */
export function operatorOperations<Name extends string>(service: Service, name: Name) {
  const base = { service, tag: 'Operation', access, dryRun: false } as const;
  const path = `/operator/${service}`;
  return {
    consumers: operation({
      ...base, id: `list${name}Consumers`, method: 'GET', path: `${path}/consumers`,
      summary: 'List projections and reactors with their positions',
      query: z.object(paging), response: listOf(ConsumerStatus),
    }),
    parked: operation({
      ...base, id: `list${name}ParkedEvents`, method: 'GET', path: `${path}/parked-events`,
      summary: 'List the events that reactors gave up', query: z.object(paging), response: listOf(ParkedEvent),
    }),
    retry: operation({
      ...base, id: `retry${name}ParkedEvent`, method: 'POST', path: `${path}/parked-events/{parkedEventId}/retry`,
      summary: 'Have a parked event tried again, and what waits behind it',
      params: z.object({ parkedEventId: z.string().min(1).max(256) }),
    }),
    timers: operation({
      ...base, id: `list${name}Timers`, method: 'GET', path: `${path}/timers`,
      summary: 'List the timers that are due next', query: z.object(paging), response: listOf(Timer),
    }),
    rebuild: operation({
      ...base, id: `rebuild${name}Projection`, method: 'POST', path: `${path}/projections/{projection}/rebuild`,
      summary: 'Rebuild a projection from the first event beside the live one, and compare both',
      params: z.object({ projection: z.string().regex(/^[a-z0-9_]{1,64}$/) }), response: RebuildResult, deadlineMs: rebuildWithinMs,
    }),
  };
}

export type OperatorOperations = ReturnType<typeof operatorOperations>;

/** Those of identity, by id. */
export const identityOperator = operatorOperations('identity', 'Identity');
