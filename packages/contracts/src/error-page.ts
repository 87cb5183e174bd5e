import { reasonStatus, type Reason } from './errors.js';
import { statusOf, type Operation } from './operation.js';
import { refusalsOf } from './refusals.js';
import { reasonGuide, type ReasonGuide } from './reason-guide.js';

/** What there is to say about one reason. */
export interface ErrorPage extends ReasonGuide {
  reason: Reason;
  status: number;
  /** Who refuses for it: `every` operation, or those listed; none where it is answered before an operation is found, or not yet. */
  operations: 'every' | readonly Pick<Operation, 'id' | 'method' | 'path' | 'summary'>[];
  /** Operations that say it with another status. */
  otherwise: readonly { id: string; status: number }[];
}

/** Where the page of a reason is, on every gateway; `link` headers of refusals lead there. */
export function errorPath(reason: Reason): string {
  return `/errors/${reason}`;
}

/** The pages of all reasons for a table of operations, by status and name. */
export function errorPages(table: readonly Operation[]): ErrorPage[] {
  const refusals = refusalsOf(table);
  const reasons = (Object.keys(reasonStatus) as Reason[]).sort(
    (a, b) => reasonStatus[a] - reasonStatus[b] || (a < b ? -1 : 1),
  );
  return reasons.map((reason) => {
    const operations = table.filter((op) => refusals(op).includes(reason));
    return {
      reason,
      status: reasonStatus[reason],
      ...reasonGuide[reason],
      operations:
        operations.length === table.length
          ? 'every'
          : operations.map(({ id, method, path, summary }) => ({ id, method, path, summary })),
      otherwise: operations
        .filter((op) => reason in op.statuses)
        .map((op) => ({ id: op.id, status: statusOf(op, reason) })),
    };
  });
}
