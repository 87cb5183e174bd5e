import { AppError } from '@scriptorium/contracts';
import { defineAggregate, unchanged, type Metadata } from '@scriptorium/event-sourcing';
import { changeRequestEvents, type ChangeRequestEvent } from '../events/index.js';

export interface PresentRequest {
  status: 'draft' | 'open' | 'archived';
  space: string;
  author: string;
  /** The name of its text; `null` until it has one. */
  text: string | null;
}

export type ChangeRequest = { status: 'absent' } | PresentRequest;

function evolve(state: ChangeRequest, event: ChangeRequestEvent, { actor }: Metadata): ChangeRequest {
  if (event.type === 'ChangeRequestCreated') {
    const { space, text } = event.data;
    return { status: 'draft', space, author: actor.id, text };
  }
  if (state.status === 'absent') return state;
  switch (event.type) {
    case 'ChangeRequestDescribed':
      return { ...state, text: event.data.text };
    case 'ChangeRequestOpened':
    case 'ChangeRequestReopened':
      return { ...state, status: 'open' };
    case 'ChangeRequestConvertedToDraft':
      return { ...state, status: 'draft' };
    case 'ChangeRequestArchived':
      return { ...state, status: 'archived' };
    default:
      return unchanged(state, event);
  }
}

/** A change request: its status, and the name of its text. Its content is a branch of the content service. */
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

/** Whoever changes a change request. Its author and those who may `review` can. */
export interface Editor {
  user: string;
  mayReview: boolean;
}

export interface Change {
  status?: PresentRequest['status'] | undefined;
  /** A new text. `previous` is the one that it was made of. */
  described?: Omit<Described, 'space'> | undefined;
}

/**
 * Changes text and status. @throws AppError `not_found`, `forbidden`, `conflict` when the text is not the one any more that the new
 * one was made of
 */
export function change(state: ChangeRequest, editor: Editor, { status, described }: Change): ChangeRequestEvent[] {
  const present = requireEditor(state, editor);
  const { space, text } = present;
  if (described !== undefined && described.previous !== text) throw new AppError('conflict', [], { retryAfter: 1 });
  return [
    ...(described === undefined ? [] : [{ type: 'ChangeRequestDescribed' as const, data: { space, ...described } }]),
    ...moveTo(present, status),
  ];
}

/** @throws AppError `not_found`, `forbidden` */
export function requireEditor(state: ChangeRequest, { user, mayReview }: Editor): PresentRequest {
  if (state.status === 'absent') throw new AppError('not_found');
  if (state.author !== user && !mayReview)
    throw new AppError('forbidden', [], { message: 'Only its author and those who may review can change it' });
  return state;
}

function moveTo(present: PresentRequest, status: PresentRequest['status'] | undefined): ChangeRequestEvent[] {
  if (status === undefined || status === present.status) return [];
  const data = { space: present.space };
  switch (status) {
    case 'draft':
      return [{ type: 'ChangeRequestConvertedToDraft', data }];
    case 'archived':
      return [{ type: 'ChangeRequestArchived', data }];
    case 'open':
      return [{ type: present.status === 'draft' ? 'ChangeRequestOpened' : 'ChangeRequestReopened', data }];
  }
}
