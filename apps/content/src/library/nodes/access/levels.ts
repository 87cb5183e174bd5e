import { resolveLevel, type Grantee, type Level, type NodeGrants } from '@scriptorium/access';
import { AppError, rankOfRole } from '@scriptorium/contracts';

/** Whether a level is higher than another one; no access is the lowest. */
export function isAbove(level: Level, other: Level): boolean {
  return rankOfRole(level) > rankOfRole(other);
}

/**
 * What decides about levels on a node, before and after a change: its own grants and those of everything that contains
 * it.
 */
export interface ChainChange {
  before: readonly NodeGrants[];
  after: readonly NodeGrants[];
}

/**
 * Nobody raises their own level. @throws AppError `forbidden` when the member has a higher level after any of the
 * changes
 */
export function refuseHigher(member: Grantee, changes: Iterable<ChainChange>): void {
  for (const { before, after } of changes)
    if (isAbove(resolveLevel(member, after), resolveLevel(member, before)))
      throw new AppError('forbidden', [], { message: 'It would raise your own level' });
}
