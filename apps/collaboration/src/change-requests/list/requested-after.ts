import type { Recorded } from '@scriptorium/event-sourcing';
import type { ChangeRequestEvent } from '../change-request.events.js';

/** Whose reviews are requested. `key`: the stay of a person in the organization, or the team. */
export type Requested = { key: string; user: string | null }[];
type Requesting = Extract<
  ChangeRequestEvent,
  { type: 'ReviewersRequested' | 'ReviewRequestWithdrawn' | 'ReviewSubmitted' }
>;

export function requestedAfter(requested: Requested, event: Recorded<Requesting>): Requested {
  switch (event.type) {
    case 'ReviewersRequested': {
      const { users, teams } = event.data;
      const added = [
        ...users.map(({ user, membership }) => ({ key: membership, user })),
        ...teams.map((team) => ({ key: team, user: null })),
      ];
      const kept = requested.filter(({ key, user }) => !added.some((one) => one.key === key || sameUser(one, user)));
      return [...kept, ...added];
    }
    case 'ReviewRequestWithdrawn':
      return requested.filter(({ key, user }) => (user === null ? key !== event.data.team : user !== event.data.user));
    case 'ReviewSubmitted':
      return requested.filter(({ key, user }) =>
        user === null ? !event.data.teams.includes(key) : user !== event.meta.actor.id,
      );
  }
}

function sameUser(one: { user: string | null }, user: string | null): boolean {
  return user !== null && one.user === user;
}
