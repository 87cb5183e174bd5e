/** What a check of `scriptorium doctor` has found. It never contains a secret. */
export interface Check {
  name: string;
  ok: boolean;
  detail: string;
  /** What to do about it. */
  advice?: string;
}

export const passed = (name: string, detail: string): Check => ({ name, ok: true, detail });

export const failed = (name: string, detail: string, advice: string): Check => ({ name, ok: false, detail, advice });

/** A check in one line. */
export function lineOf({ name, ok, detail, advice }: Check): string {
  const todo = advice === undefined ? '' : `: ${advice}`;
  return `${ok ? 'ok  ' : 'FAIL'}  ${name.padEnd(12)}  ${detail}${todo}\n`.replaceAll(/\n(?=.)/g, ' ');
}
