import { projection, type EventOf } from '@scriptorium/event-sourcing';
import { specEvents } from './spec.events.js';

const consumed = specEvents.pick('OpenAPISpecVersionAdded', 'OpenAPISpecDeleted');
type Added = Extract<EventOf<typeof consumed>, { type: 'OpenAPISpecVersionAdded' }>['data'];

/** A version of a specification, without its content. */
export interface SpecVersionDocument extends Omit<Added, 'version' | 'run'> {
  organization: string;
  createdAt: string;
}

/** All versions of all specifications, by id. */
export const specVersions = projection<SpecVersionDocument, [typeof consumed]>({
  name: 'openapi_spec_version',
  version: 1,
  entities: ['content.specs'],
  events: [consumed],
  indexes: [{ key: { spec: 1, createdAt: 1 } }],
  writes(event) {
    if (event.type === 'OpenAPISpecDeleted') return [{ removeWhere: { spec: event.data.spec } }];
    const { version, run: _, ...data } = event.data;
    return [{ put: version, doc: { ...data, organization: event.entityId, createdAt: event.meta.time } }];
  },
});
