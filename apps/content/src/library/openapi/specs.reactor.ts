import { reactor, type Reactor } from '@scriptorium/event-sourcing';
import type { ServiceContext } from '@scriptorium/platform';
import type { FileStore } from '../../versions/index.js';
import { libraryEvents } from '../nodes/index.js';
import { runOf, specProcessing } from './processing/process-spec.run.js';
import { dropBytes } from './spec-bytes.operational.js';
import { specEvents } from './spec.events.js';
import { dropTexts } from './spec-texts.operational.js';
import { close, specs } from './spec.js';

/** What was requested is read, and what was requested meanwhile after that. */
export const requestedSpecsReactor: Reactor = reactor({
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
    await inside.requestRun(specProcessing, { id: runOf(id, spec.requests), input: { spec: id } });
  },
});

/** With a specification go its texts and bytes. */
export function deletedSpecsReactor(context: ServiceContext, files: FileStore): Reactor {
  return reactor({
    name: 'content_of_deleted_openapi_specs',
    entities: ['specs'],
    events: [specEvents.pick('OpenAPISpecDeleted')],
    react: async ({ data: { spec } }) => {
      await dropTexts(context, spec);
      await dropBytes(files, spec);
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
