import { actionOf, paramsOf, placesOf, publicStreams, streamOfAction, type Within } from '@scriptorium/contracts';
import { defineEvents, projection, type Recorded, type Write } from '@scriptorium/event-sourcing';

/**
 * The metadata of one public event. The document has the id of the event, and its position is `_at`. People are
 * recorded only by id.
 */
export interface AuditEventDocument {
  organization: string;
  occurredAt: string;
  action: string;
  actorKind: string;
  actor: string;
  /** What caused the action, if the event names it. */
  source: string | null;
  /** Id of the resource that the event is about. */
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
  const ending = (key: string): Write<AuditEventDocument> => ({
    put: key,
    doc: { ...about, organization: noOrganization },
  });
  // Streams of a deleted organization or purged space are removed from disk, so a rebuild would not find their events.
  // They are removed here as well.
  if (type === 'OrganizationDeleted') return [{ removeWhere: { organization } }, ending(deletionOf(organization))];
  if (!stream.ends.includes(type)) return [told];
  // What was transferred has events in several organizations.
  const everywhere = transferable.has(stream.target.object) ? {} : { organization };
  const [[place, ended] = []] = Object.entries(placesOf(stream, target, {}));
  const rest: Write<AuditEventDocument> = { put: id, doc: about, unless: deletionOf(organization) };
  if (place === undefined || ended === undefined) return [{ removeWhere: { ...everywhere, target } }, rest];
  return [
    { removeWhere: { ...everywhere, [`within.${place}`]: ended } },
    ending(endingOf(organization, { [place]: ended })),
    rest,
  ];
}

/** The kinds of resources that organizations transfer to each other. */
const transferable: ReadonlySet<string> = new Set(['space', 'collection']);

/** The document of the deletion. It stays, so that events that follow the deletion are not added. */
function deletionOf(organization: string): string {
  return `deletion/${organization}`;
}

/**
 * Id of the document that keeps later events out: the end of the space or site that they belong to, or of the
 * organization.
 */
function endingOf(organization: string, { space, site }: Within): string {
  if (space !== undefined) return `end/space/${space}`;
  return site === undefined ? deletionOf(organization) : `end/site/${site}`;
}

/** The organization of documents that appear in no list. */
const noOrganization = '';

const newestFirst = { occurredAt: -1, _at: -1 } as const;

/**
 * The audit events of all organizations. When a service is added, or publishes more events, these are filled in from
 * the log.
 */
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
    { key: { organization: 1, 'within.space': 1, ...newestFirst } },
    { key: { 'within.space': 1 } },
    { key: { target: 1 } },
  ],
  writes: (event) => writes(event as Recorded),
});
