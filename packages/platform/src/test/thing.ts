import { operatorOperations, type Service } from '@scriptorium/contracts';
import {
  defineAggregate,
  defineEvents,
  defineRun,
  projection,
  reactor,
  runHandler,
  unchanged,
  type EventOf,
  type RunHandler,
  type TimerHandler,
} from '@scriptorium/event-sourcing';
import * as z from 'zod';
import type { AccessResolvers } from '../scope/resource-access.js';
import { defineDomain, defineService, type ServiceDefinition } from '../service/domain.js';
import type { ServiceContext } from '../service/service-context.js';

/**
 * A service small enough to be read at a glance, for the package's specs: things, of which it reminds when they are
 * due.
 */
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
  evolve: (doc: { reminded: boolean } | null, event) => ({
    reminded: doc?.reminded === true || event.type === 'ThingReminded',
  }),
});

const scheduler = reactor({
  name: 'scheduler',
  events: [thingEvents.pick('ThingMade')],
  entities: ['thing'],
  react: (event, store) =>
    store.schedule({ id: event.entityId, at: event.data.due, command: 'remind', data: { thing: event.entityId } }),
});

const remind: TimerHandler = async ({ data }, store) => {
  const { thing: id } = z.object({ thing: z.string() }).parse(data);
  await store.handle(thing, id, (): ThingEvent[] => [{ type: 'ThingReminded', data: {} }]);
};

/** Reminds of many things, one with each step. */
export const reminding = defineRun({
  kind: 'reminding',
  input: z.object({ things: z.array(z.string()) }),
  state: z.object({ done: z.int() }),
  begin: () => ({ done: 0 }),
});

/** What a spec sees of the service, and where it may step in. */
export interface Watch {
  context?: ServiceContext;
  /** Whether what runs beside the requests was ended. */
  stopped: boolean;
  /** Awaited by each step of a run of `reminding`. */
  stepping?: () => Promise<void>;
  /** Called when the store has started and requests are about to be answered. */
  answering?: () => void;
}

function remindingHandler(watch: Watch): RunHandler {
  return runHandler(reminding, {
    async step({ done }, store, run) {
      await watch.stepping?.();
      const [id, total] = [run.input.things[done], run.input.things.length];
      if (id === undefined) return { done: { reminded: done } };
      await store.handle(thing, id, (): ThingEvent[] => [{ type: 'ThingReminded', data: {} }]);
      return { next: { done: done + 1 }, progress: { done: done + 1, total } };
    },
  });
}

export function specService(watch: Watch): ServiceDefinition {
  class Beside {
    stop(): void {
      watch.stopped = true;
    }
  }
  const resolvers = (): AccessResolvers => {
    watch.answering?.();
    return {
      installation: () =>
        Promise.resolve({ parentVisible: true, exists: true, relations: new Set(['anyone', 'operator'] as const) }),
    };
  };
  const domain = defineDomain({
    name: 'things',
    projections: [things],
    objects({ context }) {
      watch.context = context;
      return [new Beside()];
    },
    reactors: () => [scheduler],
    timers: () => ({ remind }),
    runs: () => [remindingHandler(watch)],
    resolvers,
  });
  return defineService({ service, operator, domains: [domain] });
}
