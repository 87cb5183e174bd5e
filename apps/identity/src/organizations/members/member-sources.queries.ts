import type { SpaceCounts } from '../spaces/space-counts.queries.js';
import type { LastSeen } from './last-seen.operational.js';

/** Where answers get what they show of members besides their projections. */
export class MemberSources {
  constructor(
    readonly lastSeen: LastSeen,
    readonly spaceCounts: SpaceCounts,
  ) {}
}
