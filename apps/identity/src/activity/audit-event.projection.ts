import { actionOf, paramsOf, placesOf, publicStreams, streamOfAction, type Within } from '@scriptorium/contracts';
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
  /** The space, site and change request that it happened in, if any. */
  within?: Within;
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
  const within = placesOf(stream, target, meta.within ?? {});
  if (paramsOf(stream, { organization, target, within }) === undefined) return [];
  const about = { organization, occurredAt: time, action, actorKind: actor.kind, actor: actor.id, source, target };
  const doc = Object.keys(within).length === 0 ? about : { ...about, within };
  const told: Write<AuditEventDocument> = { put: id, doc, unless: endingOf(organization, within) };
  const ending = (key: string): Write<AuditEventDocument> => ({ put: key, doc: { ...about, organization: nobodys } });
  // Streams of a deleted organization, and of a purged space, are removed from disk: what they said must be gone here as it is
  // for a rebuild.
  if (type === 'OrganizationDeleted') return [{ removeWhere: { organization } }, ending(deletionOf(organization))];
  if (!stream.ends.includes(type)) return [told];
  const { object } = stream.target;
  return [
    { removeWhere: { organization, [`within.${object}`]: target } },
    ending(endingOf(organization, { [object]: target })),
    { put: id, doc: about, unless: deletionOf(organization) },
  ];
}

/** What is ended with an organization is ended behind its deletion, which stays so that none of that is told any more. */
function deletionOf(organization: string): string {
  return `deletion/${organization}`;
}

/** The entry behind which an event is not told any more: the end of the space or site that it happened in, or of the organization. */
function endingOf(organization: string, { space, site }: Within): string {
  if (space !== undefined) return `end/space/${space}`;
  return site === undefined ? deletionOf(organization) : `end/site/${site}`;
}

/** In no organization's list. */
const nobodys = '';

const newestFirst = { occurredAt: -1, _at: -1 } as const;

/** What happened in each organization, by metadata. Public events of a service that is added, or gets more, are filled in. */
export const auditEvents = projection({
  name: 'audit_event',
  version: 4,
  grows: true,
  entities: [...new Set(publicStreams.map(({ service, entity }) => `${service}.${entity}`))],
  events: tables,
  indexes: [
    { key: { organization: 1, _at: 1 } },
    { key: { organization: 1, ...newestFirst } },
    { key: { organization: 1, action: 1, ...newestFirst } },
    { key: { organization: 1, actor: 1, ...newestFirst } },
    { key: { organization: 1, target: 1, ...newestFirst } },
    { key: { organization: 1, 'within.space': 1, ...newestFirst } },
  ],
  writes: (event) => writes(event as Recorded),
});
