import { operatorOperations, type Service } from '@scriptorium/contracts';
import { defineAggregate, defineEvents, projection, reactor, unchanged, type EventOf, type TimerHandler } from '@scriptorium/event-sourcing';
import * as z from 'zod';
import type { ServiceDefinition } from '../service.js';
import type { ServiceContext } from '../service-context.js';

/** A service small enough to be read at a glance, for the package's specs: things, of which it reminds when they are due. */
const service = 'spec' as string as Service;
export const operator = operatorOperations(service, 'Spec');

const thingEvents = defineEvents({ ThingMade: z.object({ due: z.number() }), ThingReminded: z.object({}) });
export type ThingEvent = EventOf<typeof thingEvents>;

interface Thing {
  isMade: boolean;
}

export const thing = defineAggregate({
  service,
  entity: 'thing',
  events: thingEvents,
  initial: { isMade: false },
  evolve(state: Thing, event: ThingEvent): Thing {
    switch (event.type) {
      case 'ThingMade':
        return { isMade: true };
      case 'ThingReminded':
        return state;
      default:
        return unchanged(state, event);
    }
  },
});

export const things = projection({
  name: 'thing',
  version: 1,
  events: [thingEvents],
  entities: ['thing'],
  id: (event) => event.entityId,
  evolve: (doc: { reminded: boolean } | null, event) => ({ reminded: doc?.reminded === true || event.type === 'ThingReminded' }),
});

const scheduler = reactor({
  name: 'scheduler',
  events: [thingEvents.pick('ThingMade')],
  entities: ['thing'],
  react: (event, context) => context.schedule({ id: event.entityId, at: event.data.due, command: 'remind', data: { thing: event.entityId } }),
});

const remind: TimerHandler = async ({ data }, context) => {
  const { thing: id } = z.object({ thing: z.string() }).parse(data);
  await context.handle(thing, id, (): ThingEvent[] => [{ type: 'ThingReminded', data: {} }]);
};

/** What a spec sees of the service, and where it may step in. */
export interface Watch {
  context?: ServiceContext;
  /** Whether what runs beside the requests was ended. */
  stopped: boolean;
  /** Called when the store has started and requests are about to be answered. */
  answering?: () => void;
}

export function specService(watch: Watch): ServiceDefinition {
  return {
    service,
    modules: [],
    operator,
    projections: [things],
    assemble(context) {
      watch.context = context;
      return {
        reactors: [scheduler],
        reservations: [],
        timers: { remind },
        providers: [],
        standings: () => {
          watch.answering?.();
          return { installation: () => Promise.resolve({ parentVisible: true, exists: true, relations: new Set(['anyone', 'operator'] as const) }) };
        },
        stop: () => void (watch.stopped = true),
      };
    },
  };
}
