import { badSettings, unfit } from '@scriptorium/platform/config';

/**
 * Exit codes of the command and of the processes it starts. `setting`: starting again changes nothing before somebody changes
 * a setting. `defect`: code and data do not fit each other.
 */
export const exitCodes = { ended: 0, failed: 1, defect: unfit, setting: badSettings } as const;
