import { actionOf, publicStreams, streamOfAction } from '@scriptorium/contracts';
import { defineEvents, projection, type Recorded, type Write } from '@scriptorium/event-sourcing';

/** One public event by its metadata: its id is that of the event, its position `_at`. People stand in it by id alone. */
export interface AuditEventDocument {
  organization: string;
  occurredAt: string;
  action: string;
  actorKind: string;
  actor: string;
  /** What it was done by, where the event says so. */
  source: string | null;
  /** Id of what it was done to. */
  target: string;
}

const tables = publicStreams.map(({ schemas, untold }) =>
  defineEvents(Object.fromEntries(Object.entries(schemas).filter(([type]) => !untold.includes(type)))),
);

function writes({ id, type, entityId, data, meta }: Recorded): Write<AuditEventDocument>[] {
  const { organization, actor, source = null, time } = meta;
  const action = actionOf(type);
  const stream = streamOfAction.get(action);
  if (organization === null || stream === undefined) return [];
  const { idIn } = stream.target;
  const target = idIn === undefined ? entityId : String((data as Record<string, unknown>)[idIn]);
  const doc = { organization, occurredAt: time, action, actorKind: actor.kind, actor: actor.id, source, target };
  if (stream.ends.includes(type))
    return [{ removeWhere: { organization, target } }, { put: id, doc, unless: deletionOf(organization) }];
  if (type !== 'OrganizationDeleted') return [{ put: id, doc, unless: deletionOf(organization) }];
  // Streams of a deleted organization are removed from disk: what they said must be gone here as it is for a rebuild.
  return [{ removeWhere: { organization } }, { put: deletionOf(organization), doc: { ...doc, organization: nobodys } }];
}

/** What is ended with an organization is ended behind its deletion, which stays so that none of that is told any more. */
function deletionOf(organization: string): string {
  return `deletion/${organization}`;
}

/** In no organization's list. */
const nobodys = '';

const newestFirst = { occurredAt: -1, _at: -1 } as const;

/** What happened in each organization, by metadata. Public events of a service that is added, or gets more, are filled in. */
export const auditEvents = projection({
  name: 'audit_event',
  version: 5,
  grows: true,
  entities: [...new Set(publicStreams.map(({ service, entity }) => `${service}.${entity}`))],
  events: tables,
  indexes: [
    { key: { organization: 1, _at: 1 } },
    { key: { organization: 1, ...newestFirst } },
    { key: { organization: 1, action: 1, ...newestFirst } },
    { key: { organization: 1, actor: 1, ...newestFirst } },
    { key: { organization: 1, target: 1, ...newestFirst } },
  ],
  writes: (event) => writes(event as Recorded),
});
