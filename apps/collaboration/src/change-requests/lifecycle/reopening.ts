import type { ChangeRequestEvent } from '../change-request.events.js';
import {
  moveTo,
  requireEditor,
  requirePresent,
  requireUnmerging,
  type ChangeRequest,
  type Change,
  type Editor,
} from './change-request.js';

/**
 * Begins to reopen what is merged, with the status that it is to have. Nothing for what is not merged, and when that
 * has begun.
 * @throws AppError `not_found`, `forbidden`, `conflict` while it is being merged
 */
export function beginReopening(state: ChangeRequest, editor: Editor, to: Change['status']): ChangeRequestEvent[] {
  const present = requireEditor(state, editor, to);
  requireUnmerging(present);
  const { space, status, reopening } = present;
  if (status !== 'merged' || to === undefined || reopening === to) return [];
  return [{ type: 'ChangeRequestReopeningBegan', data: { space, to } }];
}

/**
 * Gives a change request the status for which it was reopened, once its content takes changes. Nothing when it has one.
 */
export function endReopening(state: ChangeRequest): ChangeRequestEvent[] {
  const present = requirePresent(state);
  return present.reopening === null ? [] : moveTo(present, present.reopening);
}
