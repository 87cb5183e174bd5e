import { collectionEventSchemas, libraryEventSchemas, spaceEventSchemas } from '@scriptorium/contracts';
import { defineEvents, projection, type EventOf, type Recorded, type Write } from '@scriptorium/event-sourcing';
import { type DefaultLevel, type Level } from './level.js';

export type NodeKind = 'space' | 'collection';

/** The parent and the own grants of a space or collection. Nothing of its parents is copied. */
export interface NodeAccessDocument {
  kind: NodeKind;
  organization: string;
  /** Whether the library of the organization contains it. Before that it does not exist for anybody. */
  added: boolean;
  /** The collection that contains it, or `null`. */
  parent: string | null;
  /** The sort key among its siblings, as plain text. */
  order: string;
  /** When it was deleted itself. It also counts as deleted while a parent is. */
  deletedAt: string | null;
  defaultLevel: DefaultLevel;
  users: { user: string; membership: string; level: Level }[];
  teams: { team: string; level: Level }[];
}

const libraryEvents = defineEvents(libraryEventSchemas).pick(
  'SpaceAdded',
  'SpaceMoved',
  'SpaceDeleted',
  'SpaceRestored',
  'SpacePurgeBegan',
  'SpacePurged',
  'CollectionAdded',
  'CollectionMoved',
  'CollectionDeleted',
  'CollectionPurgeBegan',
  'CollectionPurged',
  'LibraryOrderKeysChanged',
  'TransferEntered',
  'LibraryClosed',
);
const spaceEvents = defineEvents(spaceEventSchemas).pick(
  'SpaceCreated',
  'SpaceDefaultLevelChanged',
  'SpaceUserGrantGiven',
  'SpaceUserGrantRemoved',
  'SpaceTeamGrantGiven',
  'SpaceTeamGrantRemoved',
  'SpaceTransferred',
);
const collectionEvents = defineEvents(collectionEventSchemas).pick(
  'CollectionCreated',
  'CollectionDefaultLevelChanged',
  'CollectionUserGrantGiven',
  'CollectionUserGrantRemoved',
  'CollectionTeamGrantGiven',
  'CollectionTeamGrantRemoved',
  'CollectionTransferred',
);

type LibraryEvent = Recorded<EventOf<typeof libraryEvents>>;
type NodeEvent = Recorded<EventOf<typeof spaceEvents> | EventOf<typeof collectionEvents>>;
type NodeWrite = Write<NodeAccessDocument>;

function emptyNode(kind: NodeKind, organization: string): NodeAccessDocument {
  return {
    kind,
    organization,
    added: false,
    parent: null,
    order: '',
    deletedAt: null,
    defaultLevel: 'inherit',
    users: [],
    teams: [],
  };
}

/** Changes an existing document. */
function change(id: string, by: (doc: NodeAccessDocument) => NodeAccessDocument): NodeWrite[] {
  return [{ change: id, by: (doc) => doc && by(doc) }];
}

function add(
  id: string,
  kind: NodeKind,
  organization: string,
  at: { parent: string | null; order: string },
): NodeWrite {
  return { change: id, by: (doc) => ({ ...(doc ?? emptyNode(kind, organization)), ...at, added: true }) };
}

/** What it granted in another organization does not count here. */
function enter(
  organization: string,
  { id, ...node }: Extract<LibraryEvent, { type: 'TransferEntered' }>['data']['nodes'][number],
): NodeWrite {
  // Of what is not known, nobody knows who may see it.
  const unknown: NodeAccessDocument = { ...emptyNode(node.kind, organization), defaultLevel: null };
  const here = { ...node, organization, added: true, users: [], teams: [] };
  return { change: id, by: (doc) => ({ ...(doc ?? unknown), ...here }) };
}

function libraryWrites(event: LibraryEvent): NodeWrite[] {
  switch (event.type) {
    case 'SpaceAdded': {
      const { space, ...at } = event.data;
      return [add(space, 'space', event.entityId, at)];
    }
    case 'CollectionAdded': {
      const { collection, ...at } = event.data;
      return [add(collection, 'collection', event.entityId, at)];
    }
    case 'SpaceMoved': {
      const { space, ...at } = event.data;
      return change(space, (doc) => ({ ...doc, ...at }));
    }
    case 'CollectionMoved': {
      const { collection, ...at } = event.data;
      return change(collection, (doc) => ({ ...doc, ...at }));
    }
    case 'SpaceDeleted':
      return change(event.data.space, (doc) => ({ ...doc, deletedAt: event.meta.time }));
    case 'CollectionDeleted':
      return change(event.data.collection, (doc) => ({ ...doc, deletedAt: event.meta.time }));
    case 'SpaceRestored': {
      const { space, ...at } = event.data;
      return change(space, (doc) => ({ ...doc, ...at, deletedAt: null }));
    }
    case 'SpacePurgeBegan':
    case 'SpacePurged':
      return [{ remove: event.data.space }];
    case 'CollectionPurgeBegan':
    case 'CollectionPurged':
      return [{ remove: event.data.collection }];
    case 'LibraryOrderKeysChanged':
      return event.data.keys.flatMap(({ id, order }) => change(id, (doc) => ({ ...doc, order })));
    case 'TransferEntered':
      return event.data.nodes.map((node) => enter(event.entityId, node));
    case 'LibraryClosed':
      return [{ removeWhere: { organization: event.entityId } }];
  }
}

function nodeWrites(event: NodeEvent): NodeWrite[] {
  const id = event.entityId;
  switch (event.type) {
    case 'SpaceCreated':
      return [{ put: id, doc: emptyNode('space', event.data.organization) }];
    case 'CollectionCreated':
      return [{ put: id, doc: emptyNode('collection', event.data.organization) }];
    case 'SpaceDefaultLevelChanged':
    case 'CollectionDefaultLevelChanged':
      return [{ set: id, fields: { defaultLevel: event.data.level } }];
    case 'SpaceUserGrantGiven':
    case 'CollectionUserGrantGiven': {
      const grant = event.data;
      return change(id, (doc) => ({ ...doc, users: [...withoutUser(doc, grant.user), grant] }));
    }
    case 'SpaceUserGrantRemoved':
    case 'CollectionUserGrantRemoved': {
      const { user } = event.data;
      return change(id, (doc) => ({ ...doc, users: withoutUser(doc, user) }));
    }
    case 'SpaceTeamGrantGiven':
    case 'CollectionTeamGrantGiven': {
      const grant = event.data;
      return change(id, (doc) => ({ ...doc, teams: [...withoutTeam(doc, grant.team), grant] }));
    }
    case 'SpaceTeamGrantRemoved':
    case 'CollectionTeamGrantRemoved': {
      const { team } = event.data;
      return change(id, (doc) => ({ ...doc, teams: withoutTeam(doc, team) }));
    }
    case 'SpaceTransferred':
    case 'CollectionTransferred':
      return [{ set: id, fields: { users: [], teams: [] } }];
  }
}

function withoutUser({ users }: NodeAccessDocument, user: string): NodeAccessDocument['users'] {
  return users.filter((grant) => grant.user !== user);
}

function withoutTeam({ teams }: NodeAccessDocument, team: string): NodeAccessDocument['teams'] {
  return teams.filter((grant) => grant.team !== team);
}

const isOfLibrary = (event: LibraryEvent | NodeEvent): event is LibraryEvent => event.type in libraryEventSchemas;

/** All spaces and collections, with what decides about access to them. Nodes that are being purged are removed. */
export const nodeAccess = projection({
  name: 'node_access',
  version: 3,
  entities: ['content.library', 'content.space', 'content.collection'],
  events: [libraryEvents, spaceEvents, collectionEvents],
  // `_at`: replicas query for changes since their last query.
  indexes: [{ key: { organization: 1 } }, { key: { _at: 1 } }],
  writes: (event) => (isOfLibrary(event) ? libraryWrites(event) : nodeWrites(event)),
});
