/**
 * Exit codes of the command and of the processes it starts. `setting` is EX_CONFIG of sysexits.h, also that of
 * `runProcess`: starting again changes nothing before somebody changes a setting.
 */
export const exitCodes = { ended: 0, failed: 1, setting: 78 } as const;
