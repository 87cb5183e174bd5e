import { badSettings, unfit } from '@scriptorium/platform/config';

/**
 * Exit codes of the command and of the processes it starts. `failed`: everything that has no other code. `setting`:
 * another start fails too until somebody changes a setting. `defect`: code and data do not fit. `empty`: an import
 * would have removed everything. `problems`: a specification cannot be read, the last run of a translation has failed
 * or left texts with problems, a change request has conflicts, or its diff does not show everything. `breaking`: a
 * specification has changes that can break clients.
 */
export const exitCodes = {
  ended: 0,
  failed: 1,
  empty: 2,
  problems: 2,
  breaking: 3,
  defect: unfit,
  setting: badSettings,
} as const;
