/** A status of a change request. */
type Status = 'draft' | 'open' | 'archived' | 'merged';

/** An event that changes how many change requests there are, or in which status. */
export type CountedChangeRequest =
  | { type: 'ChangeRequestNumbered' }
  | { type: 'ChangeRequestOpened' }
  | { type: 'ChangeRequestConvertedToDraft' | 'ChangeRequestArchived'; data: { from: Status } }
  | { type: 'ChangeRequestReopened'; data: { from: Status } }
  | { type: 'ChangeRequestMerged'; data: { from: Status } };

/** By how much an event changes the number of change requests of a space, of open ones, and of drafts. Pure. */
export function changeRequestsChanged(event: CountedChangeRequest): { total: number; open: number; draft: number } {
  switch (event.type) {
    case 'ChangeRequestNumbered':
      return { total: 1, open: 0, draft: 1 };
    case 'ChangeRequestOpened':
      return moved('draft', 'open');
    case 'ChangeRequestConvertedToDraft':
      return moved(event.data.from, 'draft');
    case 'ChangeRequestArchived':
      return moved(event.data.from, 'archived');
    case 'ChangeRequestReopened':
      return moved(event.data.from, 'open');
    case 'ChangeRequestMerged':
      return moved(event.data.from, 'merged');
  }
}

function moved(from: Status, to: Status): { total: number; open: number; draft: number } {
  const change = (status: Status): number => Number(to === status) - Number(from === status);
  return { total: 0, open: change('open'), draft: change('draft') };
}
