import { AppError } from '@scriptorium/contracts';
import { reactor, type Reactor } from '@scriptorium/event-sourcing';
import { waitForProjections, type Scope, type ServiceContext } from '@scriptorium/platform';
import type { FileStore } from '../../versions/index.js';
import { libraryEvents } from '../nodes/index.js';
import { failed } from './processing/read-spec.process.js';
import { end } from './processing/spec-steps.process.js';
import { runOf, specProcessing } from './processing/process-spec.run.js';
import { dropBytes } from './spec-bytes.operational.js';
import { specEvents } from './spec.events.js';
import { specDocuments } from './spec.projection.js';
import { specVersions } from './spec-version.projection.js';
import { dropTexts } from './spec-texts.operational.js';
import { begin, close, specs } from './spec.js';

/** What was requested is read, and what was requested meanwhile after that. */
export function requestedSpecsReactor(context: ServiceContext): Reactor {
  return reactor({
    name: 'openapi_specs_to_process',
    entities: ['specs'],
    events: [
      specEvents.pick(
        'OpenAPISpecCreated',
        'OpenAPISpecUpdateRequested',
        'OpenAPISpecVersionAdded',
        'OpenAPISpecChecked',
        'OpenAPISpecProcessingFailed',
      ),
    ],
    react: async ({ entityId: organization, data: { spec: id } }, store) => {
      const inside = store.in(organization);
      const { state } = await inside.handle(specs, organization, () => []);
      const spec = state.specs.get(id);
      if (spec === undefined || spec.running !== null || spec.answered >= spec.requests) return;
      const run = runOf(id, spec.requests);
      try {
        await inside.requestRun(specProcessing, { id: run, input: { spec: id } });
      } catch (error) {
        if (!(error instanceof AppError) || error.reason !== 'limit_reached') throw error;
        await refuse(context.scope(inside), { organization, id, run });
      }
    },
  });
}

/** Too much is waiting to be read. This is said of the request, so that those of others go on. */
async function refuse(
  scope: Scope,
  { organization, id, run }: { organization: string; id: string; run: string },
): Promise<void> {
  const { store } = scope;
  const wait = { wait: false } as const;
  await store.step(`begin ${run}`).handle(specs, organization, (state) => begin(state, id, run), wait);
  const message = 'Too many specifications of the organization wait to be read: give it again later';
  const { outcome } = await failed({ scope, id, run }, 'FETCH_ERROR', { message, code: 'limit_reached' });
  await end(scope, store, { organization, id, run, outcome });
}

/** With a specification go its texts and bytes, and with the last one of a deleted organization what is said of all. */
export function deletedSpecsReactor(context: ServiceContext, files: FileStore): Reactor {
  return reactor({
    name: 'content_of_deleted_openapi_specs',
    entities: ['specs'],
    events: [specEvents.pick('OpenAPISpecDeleted', 'OpenAPISpecsClosed')],
    react: async (event, store) => {
      const { entityId: organization } = event;
      if (event.type === 'OpenAPISpecsClosed') return store.in(organization).erase(specs, organization);
      const { spec } = event.data;
      await waitForProjections({ store }, event, [specDocuments, specVersions]);
      await dropTexts(context, spec);
      await dropBytes(files, spec);
      // They have addresses of sources.
      await context.idempotency.forget();
    },
  });
}

/** With an organization go its specifications. */
export const specsOfDeletedOrganizationsReactor: Reactor = reactor({
  name: 'openapi_specs_of_deleted_organizations',
  entities: ['library'],
  events: [libraryEvents.pick('LibraryClosed')],
  react: async ({ entityId: organization }, store) => {
    await store.in(organization).handle(specs, organization, close);
  },
});
