import { projection, type EventOf, type Recorded, type Write } from '@scriptorium/event-sourcing';
import { specEvents } from './spec.events.js';

/** A specification without its texts. */
export interface SpecDocument {
  organization: string;
  slug: string;
  /** The slug in lower case. */
  key: string;
  source: { kind: 'url' | 'text'; name: string };
  visibility: 'private' | 'public';
  processingState: 'pending' | 'progress' | 'complete';
  createdAt: string;
  updatedAt: string;
  /** Requests that are not answered by the run that is at it. */
  waiting: boolean;
  lastVersion?: string;
  lastProcessedAt?: string;
  lastProcessErrorCode?: 'FETCH_TIMEOUT' | 'FETCH_ERROR' | 'PARSE_ERROR' | 'QUOTA_REACHED' | null;
  problems?: number;
  /** The run that found the problems. */
  lastRun?: string;
}

const consumed = specEvents.pick(
  'OpenAPISpecCreated',
  'OpenAPISpecUpdateRequested',
  'OpenAPISpecProcessingStarted',
  'OpenAPISpecVersionAdded',
  'OpenAPISpecChecked',
  'OpenAPISpecProcessingFailed',
  'OpenAPISpecVisibilityChanged',
  'OpenAPISpecDeleted',
);
type Consumed = Recorded<EventOf<typeof consumed>>;

function writes(event: Consumed): Write<SpecDocument>[] {
  const { spec: id } = event.data;
  const { time } = event.meta;
  switch (event.type) {
    case 'OpenAPISpecCreated': {
      const { slug, source } = event.data;
      const state = { visibility: 'private', processingState: 'pending', waiting: false } as const;
      const named = { organization: event.entityId, slug, key: slug.toLowerCase(), source };
      return [{ put: id, doc: { ...named, ...state, createdAt: time, updatedAt: time } }];
    }
    case 'OpenAPISpecUpdateRequested': {
      const { source, cause } = event.data;
      const fields = { ...(source && { source }), ...(cause === 'put' && { updatedAt: time }) };
      return [{ set: id, fields: { ...fields, processingState: 'pending', waiting: true } }];
    }
    case 'OpenAPISpecProcessingStarted':
      return [{ set: id, fields: { processingState: 'progress', waiting: false } }];
    case 'OpenAPISpecVisibilityChanged':
      return [{ set: id, fields: { visibility: event.data.visibility, updatedAt: time } }];
    case 'OpenAPISpecDeleted':
      return [{ remove: id }];
    default:
      return [{ change: id, by: (doc) => (doc === null ? null : processed(doc, event)) }];
  }
}

type Ended = Extract<
  Consumed,
  { type: 'OpenAPISpecVersionAdded' | 'OpenAPISpecChecked' | 'OpenAPISpecProcessingFailed' }
>;

function processed(doc: SpecDocument, { type, data, meta }: Ended): SpecDocument {
  return {
    ...doc,
    processingState: doc.waiting ? 'pending' : 'complete',
    lastProcessedAt: meta.time,
    lastProcessErrorCode: type === 'OpenAPISpecProcessingFailed' ? data.code : null,
    problems: data.problems,
    lastRun: data.run,
    ...(type === 'OpenAPISpecVersionAdded' && { lastVersion: data.version, updatedAt: meta.time }),
  };
}

/** All specifications, by id. */
export const specDocuments = projection<SpecDocument, [typeof consumed]>({
  name: 'openapi_spec',
  version: 1,
  entities: ['content.specs'],
  events: [consumed],
  indexes: [{ key: { organization: 1, key: 1 } }, { key: { organization: 1, createdAt: 1 } }],
  writes,
});
