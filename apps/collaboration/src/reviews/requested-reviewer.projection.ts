import { rosterEventSchemas, teamEventSchemas } from '@scriptorium/contracts';
import { defineEvents, projection, type EventOf, type Recorded, type Write } from '@scriptorium/event-sourcing';
import { changeRequestEvents } from '../change-requests/index.js';
import { spacePurge, spaceTransfer } from '../spaces/index.js';

/** Somebody whose review of a change request is requested: a person or a team. */
export interface RequestedReviewerDocument {
  space: string;
  changeRequest: string;
  /** `null` for a team. */
  user: string | null;
  /** The stay of the person in the organization. The request ends with it. */
  membership: string | null;
  /** `null` for a person. */
  team: string | null;
  revision: string;
  requestedBy: string;
  createdAt: string;
}

const requesting = changeRequestEvents.pick('ReviewersRequested', 'ReviewRequestWithdrawn', 'ReviewSubmitted');
const teamDeletion = defineEvents(teamEventSchemas).pick('TeamDeleted');
const removal = defineEvents(rosterEventSchemas).pick('MemberRemoved');
type Consumed = Recorded<
  | EventOf<typeof requesting>
  | EventOf<typeof teamDeletion>
  | EventOf<typeof removal>
  | EventOf<typeof spacePurge>
  | EventOf<typeof spaceTransfer>
>;

/** The id of the request to a person, or to a team. */
export function requestKey(changeRequest: string, whose: { user: string } | { team: string }): string {
  return 'user' in whose ? `${changeRequest}:user:${whose.user}` : `${changeRequest}:team:${whose.team}`;
}

function requestedWrites(
  event: Recorded<Extract<EventOf<typeof requesting>, { type: 'ReviewersRequested' }>>,
): Write<RequestedReviewerDocument>[] {
  const { entityId: changeRequest, meta, data } = event;
  const { space, revision, users, teams } = data;
  const common = { space, changeRequest, revision, requestedBy: meta.actor.id, createdAt: meta.time };
  return [
    ...users.map(({ user, membership }) => ({
      put: requestKey(changeRequest, { user }),
      doc: { ...common, user, membership, team: null },
    })),
    ...teams.map((team) => ({
      put: requestKey(changeRequest, { team }),
      doc: { ...common, user: null, membership: null, team },
    })),
  ];
}

function writes(event: Consumed): Write<RequestedReviewerDocument>[] {
  const { entityId: id } = event;
  switch (event.type) {
    case 'ReviewersRequested':
      return requestedWrites(event);
    case 'ReviewRequestWithdrawn': {
      const { user, team } = event.data;
      return [
        ...(user === null ? [] : [{ remove: requestKey(id, { user }) }]),
        ...(team === null ? [] : [{ remove: requestKey(id, { team }) }]),
      ];
    }
    case 'ReviewSubmitted':
      return [
        { remove: requestKey(id, { user: event.meta.actor.id }) },
        ...event.data.teams.map((team) => ({ remove: requestKey(id, { team }) })),
      ];
    case 'TeamDeleted':
      return [{ removeWhere: { team: id } }];
    case 'MemberRemoved':
      return [{ removeWhere: { membership: event.data.membership } }];
    case 'SpacePurgeBegan':
    case 'SpacePurged':
      return [{ removeWhere: { space: event.data.space } }];
    case 'SpaceTransferred':
      return [{ removeWhere: { space: id } }];
  }
}

/** The requests for reviews that nobody has met yet. */
export const requestedReviewers = projection({
  name: 'requested_reviewer',
  version: 2,
  entities: ['request', 'identity.team', 'identity.roster', 'content.library', 'content.space'],
  events: [requesting, teamDeletion, removal, spacePurge, spaceTransfer],
  indexes: [
    { key: { changeRequest: 1, createdAt: 1, _id: 1 } },
    { key: { team: 1 } },
    { key: { membership: 1 } },
    { key: { space: 1 } },
  ],
  writes,
});
