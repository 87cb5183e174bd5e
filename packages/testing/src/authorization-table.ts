import { operationList } from '@scriptorium/contracts';

/** The statuses that an operation answers, one for each caller of the table. */
export interface AuthorizationRow {
  operation: string;
  codes: readonly number[];
}

/** Reads a table of statuses: a line of names of callers, then one for each operation. */
export function readAuthorizationTable(table: string): AuthorizationRow[] {
  return table
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(/\s+/))
    .map(([operation = '', ...codes]) => ({ operation, codes: codes.map(Number) }));
}

/** The ids of the operations of services, sorted. */
export function operationsOf(...services: readonly string[]): string[] {
  return operationList
    .filter(({ service }) => services.includes(service))
    .map(({ id }) => id)
    .sort();
}

/** What each caller was answered, asked one after the other. */
export async function statusesOf<C extends string>(
  callers: readonly C[],
  statusFor: (caller: C) => Promise<number>,
): Promise<Record<string, number>> {
  const answered: [C, number][] = [];
  for (const caller of callers) answered.push([caller, await statusFor(caller)]);
  return Object.fromEntries(answered);
}

/** The statuses of a row by caller. */
export function statusesIn(
  { codes }: AuthorizationRow,
  callers: readonly string[],
): Record<string, number | undefined> {
  return Object.fromEntries(callers.map((caller, i) => [caller, codes[i]]));
}
