import { AppError, specBounds } from '@scriptorium/contracts';
import { runHandler, type RunHandler, type StoreScope } from '@scriptorium/event-sourcing';
import type { Scope, ServiceContext } from '@scriptorium/platform';
import type { FileStore } from '../../../versions/index.js';
import { dropBytes, dropSomeBytes } from '../spec-bytes.operational.js';
import { dropOldTexts, dropTexts, keepText } from '../spec-texts.operational.js';
import { specVersions } from '../spec-version.projection.js';
import { begin, record, specs, type Outcome, type Spec } from '../spec.js';
import { scheduleRefresh } from '../refresh-spec.timer.js';
import { specProcessing } from './process-spec.run.js';
import { readSpec } from './read-spec.process.js';

/** How long a run waits for another one that is at the same specification, ms. */
const pauseMs = 500;
/** Names of texts that were given, not fetched: their bytes have this hash. */
const isHash = /^[0-9a-f]{64}$/;

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
      const outcome = await readSpec({ scope, files, id, spec, run: run.id, signal: run.signal });
      const source = await end(scope, store, { organization, id, run: run.id, outcome });
      await tidy(scope, files, { id, source, run: run.id, outcome });
      return { done: null };
    },
    async cleanUp(_state, store, run) {
      const scope = context.scope(store);
      const { spec: id } = run.input;
      const message = 'It could not be processed';
      await keepText(scope, id, run.id, { problems: [{ message, code: 'unexpected', severity: 'error' }] });
      const outcome: Outcome = { code: 'FETCH_ERROR', problems: 1 };
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
async function end(
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

/** Drops what earlier runs have found, and the content of versions that are not kept any more. */
async function tidy(
  scope: Scope,
  files: FileStore,
  { id, source, run, outcome }: { id: string; source: Spec['source'] | undefined; run: string; outcome: Outcome },
): Promise<void> {
  // It was deleted while it was read: what the run has kept goes, too.
  if (source === undefined) {
    await dropTexts(scope, id);
    return dropBytes(files, id);
  }
  const old = await dropOldTexts(scope, id, [source.name, run]);
  const bytes = old.filter((name) => isHash.test(name));
  if (bytes.length > 0) await dropSomeBytes(files, { spec: id, part: 'source' }, bytes);
  const versions = await scope.store
    .read(specVersions)
    .find({ spec: id })
    .sort({ createdAt: -1, _id: -1 })
    .limit(2 * specBounds.versions)
    .toArray();
  const hashes = (list: typeof versions) => list.flatMap(({ document, outline, pack }) => [document, outline, pack]);
  // The version that this run has made may not be in the read model yet.
  const made = 'document' in outcome ? [outcome.document, outcome.outline, outcome.pack] : [];
  const kept = new Set([...made, ...hashes(versions.slice(0, specBounds.versions))]);
  const gone = hashes(versions.slice(specBounds.versions)).filter((hash) => !kept.has(hash));
  if (gone.length > 0) await dropSomeBytes(files, { spec: id, part: 'forms' }, gone);
}
