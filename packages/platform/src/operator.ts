import { Controller, type Type } from '@nestjs/common';
import { AppError, type InputOf, type OperatorOperations } from '@scriptorium/contracts';
import type { Health, Parked } from '@scriptorium/event-sourcing';
import { Handles } from './handles.js';
import { ServiceContext } from './service-context.js';

const listed = 1_000;

interface Paged {
  limit: number;
}

/** The controller of a service's operator operations: the same for every service. */
export function operatorController(operations: OperatorOperations): Type {
  @Controller()
  class OperatorController {
    constructor(private readonly context: ServiceContext) {}

    @Handles(operations.consumers)
    async consumers({ query }: InputOf<OperatorOperations['consumers']>) {
      return cut(query, consumersOf(await this.context.store.health()));
    }

    @Handles(operations.parked)
    async parked({ query }: InputOf<OperatorOperations['parked']>) {
      return cut(query, (await this.context.store.parked(listed)).map(renderParked));
    }

    @Handles(operations.retry)
    async retry({ params }: InputOf<OperatorOperations['retry']>) {
      await this.context.store.retryParked(params.parkedEventId);
    }

    @Handles(operations.timers)
    async timers({ query }: InputOf<OperatorOperations['timers']>) {
      const timers = await this.context.store.timers.list(listed);
      return cut(query, timers.map(({ id, at, command, parked, error }) => ({ object: 'timer' as const, id, at: new Date(at).toISOString(), command, parked, error })));
    }

    @Handles(operations.rebuild)
    async rebuild({ params }: InputOf<OperatorOperations['rebuild']>) {
      const [result] = await this.context.store.rebuild(params.projection);
      if (result === undefined) throw new AppError('not_found');
      return { object: 'rebuild' as const, ...result, position: String(result.position) };
    }
  }
  return OperatorController;
}

function consumersOf({ projections, reactors }: Health) {
  return [
    ...projections.map(({ name, state, position, problem, trouble }) => ({
      object: 'consumer' as const, kind: 'projection' as const, name, state, position: String(position), problem, trouble,
    })),
    ...reactors.map(({ name, position, trouble }) => ({
      object: 'consumer' as const, kind: 'reactor' as const, name, position: String(position), trouble,
    })),
  ];
}

function renderParked({ retry: _, revision, position, ...event }: Parked) {
  return { object: 'parked-event' as const, ...event, revision: String(revision), position: String(position) };
}

/** These lists are short: their first page is all there is to show. */
function cut<T>({ limit }: Paged, items: readonly T[]): { items: T[]; count: number } {
  return { items: items.slice(0, limit), count: items.length };
}
