import { AppError, blaming } from '@scriptorium/contracts';
import {
  defineAggregate,
  emptyKeyed,
  keyedDrop,
  keyedGet,
  keyedPut,
  unchanged,
  type Keyed,
  type Metadata,
} from '@scriptorium/event-sourcing';
import { changeRequestEvents, type ChangeRequestEvent } from '../change-request.events.js';

/** The latest review of somebody. */
export interface LatestReview {
  status: 'approved' | 'changes-requested';
  revision: string;
  /**
   * The requests that this person has met, with this review or one before. They count for reviews of later revisions,
   * too. Absent in states that were kept before this was known.
   */
  met?: readonly MetRequest[];
}

/** A request of a person, during one stay in the organization, or of a team. */
export type MetRequest = { membership: string } | { team: string };

/** Whose reviews are requested, and by whom. */
interface Requested {
  /** By user. The request counts during this stay (`membership`) in the organization alone. */
  users: Keyed<{ membership: string; by: string }>;
  teams: Keyed<{ by: string }>;
}

export interface PresentRequest {
  status: 'draft' | 'open' | 'archived' | 'merged';
  space: string;
  author: string;
  /** The name of its text; `null` until it has one. */
  text: string | null;
  /** The attempt at a merge that is under way. `head`: the revision that the rules were checked for. */
  merging: { attempt: string; head: string; by: string } | null;
  /** The revision of the space that it was merged into. */
  merged: string | null;
  /** The status that it is to have, while its content is made to take changes again after a merge. */
  reopening: Exclude<PresentRequest['status'], 'merged'> | null;
  requested: Requested;
  /** By reviewer. */
  reviews: Keyed<LatestReview>;
  /** The number of all reviews. */
  reviewed: number;
}

export type ChangeRequest = { status: 'absent' } | { status: 'abandoned' } | PresentRequest;

const created = {
  status: 'draft',
  merging: null,
  merged: null,
  reopening: null,
  requested: { users: emptyKeyed, teams: emptyKeyed },
  reviews: emptyKeyed,
  reviewed: 0,
} as const;

function evolve(state: ChangeRequest, event: ChangeRequestEvent, { actor }: Metadata): ChangeRequest {
  if (event.type === 'ChangeRequestCreated') {
    const { space, text } = event.data;
    return { ...created, space, author: actor.id, text };
  }
  return isPresent(state) ? evolvePresent(state, event, actor.id) : state;
}

/** Whether the change request exists. It may exist before callers see it. */
export function isPresent(state: ChangeRequest): state is PresentRequest {
  return state.status !== 'absent' && state.status !== 'abandoned';
}

type LaterEvent = Exclude<ChangeRequestEvent, { type: 'ChangeRequestCreated' }>;

function evolvePresent(state: PresentRequest, event: LaterEvent, by: string): ChangeRequest {
  switch (event.type) {
    case 'ChangeRequestAbandoned':
      return { status: 'abandoned' };
    case 'ChangeRequestDescribed':
      return { ...state, text: event.data.text };
    case 'ChangeRequestOpened':
      return { ...state, status: 'open' };
    case 'ChangeRequestReopeningBegan':
      return { ...state, reopening: event.data.to };
    case 'ChangeRequestReopened':
      return { ...state, status: 'open', merged: null, reopening: null };
    case 'ChangeRequestConvertedToDraft':
      return { ...state, status: 'draft' };
    case 'ChangeRequestArchived':
      return { ...state, status: 'archived' };
    case 'ChangeRequestMergeBegan':
      return { ...state, merging: { attempt: event.data.attempt, head: event.data.head, by } };
    case 'ChangeRequestMergeEnded':
      return { ...state, merging: null };
    case 'ChangeRequestMerged':
      return { ...state, status: 'merged', merging: null, merged: event.data.revision };
    case 'ReviewersRequested':
    case 'ReviewRequestWithdrawn':
      return { ...state, requested: requestedAfter(state.requested, event, by) };
    case 'ReviewSubmitted':
      return reviewedAfter(state, event, by);
    default:
      return unchanged(state, event);
  }
}

function requestedAfter(
  { users, teams }: Requested,
  event: Extract<ChangeRequestEvent, { type: 'ReviewersRequested' | 'ReviewRequestWithdrawn' }>,
  by: string,
): Requested {
  if (event.type === 'ReviewRequestWithdrawn') {
    const { user, team } = event.data;
    return {
      users: user === null ? users : keyedDrop(users, user),
      teams: team === null ? teams : keyedDrop(teams, team),
    };
  }
  return {
    users: event.data.users.reduce((all, { user, membership }) => keyedPut(all, user, { membership, by }), users),
    teams: event.data.teams.reduce((all, team) => keyedPut(all, team, { by }), teams),
  };
}

function reviewedAfter(
  state: PresentRequest,
  { data }: Extract<ChangeRequestEvent, { type: 'ReviewSubmitted' }>,
  by: string,
): PresentRequest {
  const { status, revision, teams } = data;
  const { requested, reviews, reviewed } = state;
  const own = keyedGet(requested.users, by);
  const met = [...(own === undefined ? [] : [{ membership: own.membership }]), ...teams.map((team) => ({ team }))];
  return {
    ...state,
    requested: {
      users: keyedDrop(requested.users, by),
      teams: teams.reduce((all, team) => keyedDrop(all, team), requested.teams),
    },
    reviews: keyedPut(reviews, by, {
      status,
      revision,
      met: met.length > 0 ? met : (keyedGet(reviews, by)?.met ?? []),
    }),
    reviewed: reviewed + 1,
  };
}

/** A change request: its status, the name of its text, its reviews and merges. Its content is a branch of content. */
export const changeRequest = defineAggregate({
  service: 'collaboration',
  entity: 'request',
  events: changeRequestEvents,
  initial: { status: 'absent' },
  evolve,
});

type Created = Extract<ChangeRequestEvent, { type: 'ChangeRequestCreated' }>['data'];
type Described = Extract<ChangeRequestEvent, { type: 'ChangeRequestDescribed' }>['data'];

export function create(state: ChangeRequest, created: Created): ChangeRequestEvent[] {
  if (state.status !== 'absent') throw new AppError('already_exists');
  return [{ type: 'ChangeRequestCreated', data: created }];
}

/** Abandons a change request whose creation broke off. Returns no event when there is none. */
export function abandon(state: ChangeRequest): ChangeRequestEvent[] {
  return isPresent(state) ? [{ type: 'ChangeRequestAbandoned', data: { space: state.space } }] : [];
}

/** Whoever changes a change request. Its author and those who may `review` can. */
export interface Editor {
  user: string;
  mayReview: boolean;
}

export interface Change {
  status?: Exclude<PresentRequest['status'], 'merged'> | undefined;
  /** A new text. `previous` is the one that it was made of. */
  described?: Omit<Described, 'space'> | undefined;
}

/**
 * Changes text and status. A merged one is moved by those who may `review` alone.
 * @throws AppError `not_found`, `forbidden`, `conflict` while it is being merged, and when the text is not the one any
 * more that the new one was made of
 */
export function change(state: ChangeRequest, editor: Editor, { status, described }: Change): ChangeRequestEvent[] {
  const present = requireEditor(state, editor, status);
  requireUnmerging(present);
  const { space, text } = present;
  if (described !== undefined && described.previous !== text) throw new AppError('conflict', [], { retryAfter: 1 });
  return [
    ...(described === undefined ? [] : [{ type: 'ChangeRequestDescribed' as const, data: { space, ...described } }]),
    ...moveTo(present, status),
  ];
}

/** @throws AppError `not_found`, `forbidden`, the latter naming the status where it is about that alone */
export function requireEditor(
  state: ChangeRequest,
  { user, mayReview }: Editor,
  status?: Change['status'],
): PresentRequest {
  const present = requirePresent(state);
  if (mayReview) return present;
  if (present.author !== user)
    throw new AppError('forbidden', [], { message: 'Only its author and those who may review can change it' });
  if (present.status === 'merged' && status !== undefined)
    throw blaming('forbidden', 'body.status', 'Only those who may review can reopen what is merged');
  return present;
}

/** @throws AppError `not_found` */
export function requirePresent(state: ChangeRequest): PresentRequest {
  if (!isPresent(state)) throw new AppError('not_found');
  return state;
}

/** @throws AppError `conflict` while it is being merged */
export function requireUnmerging({ merging }: PresentRequest): void {
  if (merging !== null)
    throw new AppError('conflict', [], { message: 'The change request is being merged, try again', retryAfter: 1 });
}

/** Gives a change request a status. One that is merged is open in between. */
export function moveTo(present: PresentRequest, status: Change['status']): ChangeRequestEvent[] {
  const { space, status: from } = present;
  if (status === undefined || status === from) return [];
  if (from === 'merged' || (from === 'archived' && status === 'open')) {
    const reopened: ChangeRequestEvent = { type: 'ChangeRequestReopened', data: { space, from } };
    return [reopened, ...moveTo({ ...present, status: 'open' }, status)];
  }
  switch (status) {
    case 'draft':
      return [{ type: 'ChangeRequestConvertedToDraft', data: { space, from } }];
    case 'archived':
      return [{ type: 'ChangeRequestArchived', data: { space, from } }];
    case 'open':
      return [{ type: 'ChangeRequestOpened', data: { space } }];
  }
}
