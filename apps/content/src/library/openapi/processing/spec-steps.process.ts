import { AppError } from '@scriptorium/contracts';
import { runHandler, type RunHandler, type StoreScope } from '@scriptorium/event-sourcing';
import type { Scope, ServiceContext } from '@scriptorium/platform';
import type { FileStore } from '../../../versions/index.js';
import { keepText } from '../spec-texts.operational.js';
import { begin, record, specs, type Outcome, type Spec } from '../spec.js';
import { scheduleRefresh } from '../refresh-spec.timer.js';
import { specProcessing } from './process-spec.run.js';
import { failed, readSpec } from './read-spec.process.js';
import { tidy } from './tidy-spec.process.js';

/** How long a run waits for another one that is at the same specification, ms. */
const pauseMs = 500;

/** Reads specifications: a run for each request, one at a time for each specification. */
export function specProcessingHandler(context: ServiceContext, files: FileStore): RunHandler {
  return runHandler(specProcessing, {
    async step(_state, store, run) {
      const scope = context.scope(store);
      const { spec: id } = run.input;
      const organization = organizationOf(store);
      const { state } = await store
        .step('begin')
        .handle(specs, organization, (known) => begin(known, id, run.id), { wait: false });
      const spec = state.specs.get(id);
      if (spec === undefined || spec.running === null) return { done: null };
      if (spec.running.run !== run.id) return { next: {}, afterMs: pauseMs };
      const { outcome, answered } = await readSpec({
        ...{ scope, files, organization, id, spec, run: run.id },
        signal: run.signal,
      });
      const source = await end(scope, store, { organization, id, run: run.id, outcome });
      // Not before: a text that is known by its answer alone would never become a version.
      if (spec.source.kind === 'url' && source !== undefined) await keepText(scope, id, spec.source.name, { answered });
      await tidy(scope, files, { id, source, run: run.id, outcome });
      return { done: null };
    },
    async cleanUp(_state, store, run) {
      const scope = context.scope(store);
      const { spec: id } = run.input;
      const problem = { message: 'It could not be processed', code: 'unexpected' };
      const { outcome } = await failed({ scope, id, run: run.id }, 'FETCH_ERROR', problem);
      await end(scope, store, { organization: organizationOf(store), id, run: run.id, outcome });
      return { done: null };
    },
  });
}

function organizationOf({ context: { organization } }: StoreScope): string {
  if (organization === null) throw new AppError('unexpected', [], { message: 'The run names no organization' });
  return organization;
}

/** Records what a run has found. @returns where the specification comes from now; `undefined` when it is gone */
export async function end(
  scope: Scope,
  store: StoreScope,
  { organization, id, run, outcome }: { organization: string; id: string; run: string; outcome: Outcome },
): Promise<Spec['source'] | undefined> {
  const { state } = await store
    .step('record')
    .handle(specs, organization, (known) => record(known, id, run, outcome), { wait: false });
  const source = state.specs.get(id)?.source;
  if (source?.kind === 'url') await scheduleRefresh(store, { organization, spec: id }, scope.now());
  return source;
}
