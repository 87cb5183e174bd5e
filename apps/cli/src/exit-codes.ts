import { badSettings } from '@scriptorium/platform/config';

/** Exit codes of the command and of the processes it starts. `setting`: starting again changes nothing before somebody changes a setting. */
export const exitCodes = { ended: 0, failed: 1, setting: badSettings } as const;
