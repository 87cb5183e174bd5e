import { memberRoles } from '@scriptorium/contracts';
import type { Level } from '@scriptorium/access';

/** Whether a level is higher than another one; no access is the lowest. */
export function isAbove(level: Level, other: Level): boolean {
  return rank(level) > rank(other);
}

function rank(level: Level): number {
  return level === null ? -1 : memberRoles.indexOf(level);
}
