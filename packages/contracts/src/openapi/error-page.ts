import { reasonStatus, type Reason } from '../kernel/errors.js';
import { statusOf, type Operation } from '../kernel/operation.js';
import { refusalsOf } from './refusals.js';
import { reasonGuide, type ReasonGuide } from './reason-guide.js';

/** The content of the page of one reason. */
export interface ErrorPage extends ReasonGuide {
  reason: Reason;
  status: number;
  /**
   * The operations that can be refused with it: `every` one, or those listed. The list is empty when the error occurs
   * before an operation is found, and for reasons without an operation.
   */
  operations: 'every' | readonly Pick<Operation, 'id' | 'method' | 'path' | 'summary'>[];
  /** Operations that answer the reason with another status. */
  otherwise: readonly { id: string; status: number }[];
}

/** The path of the page of a reason, the same on every gateway. The `link` header of an error leads there. */
export function errorPath(reason: Reason): string {
  return `/errors/${reason}`;
}

/** The pages of all reasons for a table of operations, sorted by status and name. */
export function errorPages(table: readonly Operation[]): ErrorPage[] {
  const refusals = refusalsOf(table);
  const all = table.map((op) => ({ op, refusedFor: refusals(op) }));
  const reasons = (Object.keys(reasonStatus) as Reason[]).sort(
    (a, b) => reasonStatus[a] - reasonStatus[b] || (a < b ? -1 : 1),
  );
  return reasons.map((reason) => {
    const operations = all.filter(({ refusedFor }) => refusedFor.includes(reason)).map(({ op }) => op);
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
