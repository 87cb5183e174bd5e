import { Controller, type Type } from '@nestjs/common';
import { AppError, type InputOf, type OperatorOperations } from '@scriptorium/contracts';
import type { Health, ListedTimer, Parked, RunView } from '@scriptorium/event-sourcing';
import type { CursorBinding } from '../paging/cursors.js';
import { type Call, Handles } from '../handlers/handles.js';
import { pageBy, type PageRequest } from '../paging/list.js';
import { ServiceContext } from './service-context.js';
import { showRun } from './show-run.js';

/** Creates the controller of the operations for operators, which are the same for every service. */
export function operatorController(operations: OperatorOperations): Type {
  @Controller()
  class OperatorController {
    constructor(private readonly context: ServiceContext) {}

    @Handles(operations.consumers)
    consumers({ query }: InputOf<OperatorOperations['consumers']>, call: Call) {
      return listConsumers(this.context, query, call);
    }

    @Handles(operations.parked)
    parked({ query }: InputOf<OperatorOperations['parked']>, call: Call) {
      return listParked(this.context, query, call);
    }

    @Handles(operations.retry)
    async retry({ params }: InputOf<OperatorOperations['retry']>) {
      await this.context.store.retryParked(params.parkedEventId);
    }

    @Handles(operations.timers)
    timers({ query }: InputOf<OperatorOperations['timers']>, call: Call) {
      return listTimers(this.context, query, call);
    }

    @Handles(operations.runs)
    runs({ query }: InputOf<OperatorOperations['runs']>, call: Call) {
      return listRuns(this.context, query, call);
    }

    @Handles(operations.cancelRun)
    async cancelRun({ params }: InputOf<OperatorOperations['cancelRun']>, { store }: Call) {
      const run = await store.findRun(params.runId);
      if (run === null) throw new AppError('not_found');
      await store.in(run.organization).cancelRun(run.id);
    }

    @Handles(operations.rebuild)
    async rebuild({ params }: InputOf<OperatorOperations['rebuild']>, { deadline }: Call) {
      const [result] = await this.context.store.rebuild(params.projection, deadline);
      if (result === undefined) throw new AppError('not_found');
      return { object: 'rebuild' as const, ...result, position: String(result.position) };
    }
  }
  return OperatorController;
}

async function listConsumers({ store, cursors }: ServiceContext, request: PageRequest, call: Call) {
  const all = consumersOf(await store.health()).sort((a, b) => (a.name < b.name ? -1 : 1));
  return pageBy(cursors, {
    binding: bindingOf(call, 'name'),
    request,
    fetch: (limit, after) => all.filter(({ name }) => after === undefined || name > after[1]).slice(0, limit),
    count: () => all.length,
    keysOf: ({ name }) => [name, name],
  });
}

async function listParked({ store, cursors }: ServiceContext, request: PageRequest, call: Call) {
  const { items, ...page } = await pageBy(cursors, {
    binding: bindingOf(call, 'parkedAt'),
    request,
    fetch: (limit, after) => store.parked({ limit, after: after && [String(after[0]), after[1]] }),
    count: () => store.countParked(),
    keysOf: ({ parkedAt, id }) => [parkedAt, id],
  });
  return { items: items.map(renderParked), ...page };
}

async function listTimers({ store: { timers }, cursors }: ServiceContext, request: PageRequest, call: Call) {
  const { items, ...page } = await pageBy(cursors, {
    binding: bindingOf(call, 'at'),
    request,
    fetch: (limit, after) => timers.list({ limit, after: after && [Number(after[0]), after[1]] }),
    count: () => timers.count(),
    keysOf: ({ at, id }) => [at, id],
  });
  return { items: items.map(renderTimer), ...page };
}

async function listRuns(
  { store: { runs }, cursors }: ServiceContext,
  { open, ...request }: InputOf<OperatorOperations['runs']>['query'],
  call: Call,
) {
  const filter = open === undefined ? {} : { open };
  const { items, ...page } = await pageBy(cursors, {
    binding: { ...bindingOf(call, 'requestedAt'), scope: { open: String(open) } },
    request,
    fetch: (limit, after) => runs.list(filter, { limit, after: after && [Number(after[0]), after[1]] }),
    count: () => runs.count(filter),
    keysOf: ({ requestedAt, id }) => [requestedAt, id],
  });
  return { items: items.map(renderRun), ...page };
}

function bindingOf({ operation }: Call, sort: string): CursorBinding {
  return { operation, scope: {}, sort, order: 'asc' };
}

function consumersOf({ projections, reactors }: Health) {
  return [
    ...projections.map(({ name, state, position, problem, trouble }) => ({
      object: 'consumer' as const,
      kind: 'projection' as const,
      name,
      state,
      position: String(position),
      problem,
      trouble,
    })),
    ...reactors.map(({ name, position, trouble }) => ({
      object: 'consumer' as const,
      kind: 'reactor' as const,
      name,
      position: String(position),
      trouble,
    })),
  ];
}

function renderParked({ retry: _, revision, position, ...event }: Parked) {
  return { object: 'parked-event' as const, ...event, revision: String(revision), position: String(position) };
}

function renderTimer({ id, at, command, parked, error }: ListedTimer) {
  return { object: 'timer' as const, id, at: new Date(at).toISOString(), command, parked, error };
}

function renderRun(view: RunView) {
  const { kind, version, organization, requestedBy, step, attempts, error } = view;
  const steps = { step, attempts, ...(error === undefined ? {} : { error }) };
  return { object: 'run' as const, ...showRun(view), kind, version, organization, requestedBy, ...steps };
}
