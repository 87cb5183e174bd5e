/**
 * Exit codes of the command and of the processes it starts. `setting` is EX_CONFIG of sysexits.h, also that of
 * `runProcess`: starting again changes nothing before somebody changes a setting. `defect`, EX_SOFTWARE, is that of code and
 * data that do not fit each other.
 */
export const exitCodes = { ended: 0, failed: 1, defect: 70, setting: 78 } as const;
