import { operationList } from '@scriptorium/contracts';
import { inFull } from '@scriptorium/toolchain/proof';

/** What an operation answers to callers. */
export interface AuthorizationRow<Caller extends string> {
  operation: string;
  /** The status for each caller who is asked. */
  expected: Record<Caller, number>;
}

/**
 * Reads a table of statuses: a line of names of callers, then one for each operation.
 *
 * `npm test` asks the callers at whom the status changes from one column to the next, and the first and the last one;
 * a full proof asks all of them.
 */
export function readAuthorizationTable<Caller extends string>(
  table: string,
  callers: readonly Caller[],
): AuthorizationRow<Caller>[] {
  const [header = '', ...lines] = table.trim().split('\n');
  const [, ...named] = header.trim().split(/\s+/);
  if (named.join() !== callers.join()) throw new Error(`The table is of ${named.join()}, not of ${callers.join()}`);
  return lines.map((line) => {
    const [operation = '', ...codes] = line.trim().split(/\s+/);
    const asked = callers.map((caller, at) => [caller, Number(codes[at])] as const);
    return { operation, expected: Object.fromEntries(inFull ? asked : boundaries(asked)) as Record<Caller, number> };
  });
}

/** The first entry, the last one, and those on both sides of each change of status. */
const boundaries = <Entry extends readonly [string, number]>(entries: readonly Entry[]): Entry[] =>
  entries.filter(([, status], at) => entries[at - 1]?.[1] !== status || entries[at + 1]?.[1] !== status);

/** The ids of the operations of services, sorted. */
export function operationsOf(...services: readonly string[]): string[] {
  return operationList
    .filter(({ service }) => services.includes(service))
    .map(({ id }) => id)
    .sort();
}

/**
 * What each caller of a row was answered, asked one after the other. `isRefused`: the row expects a refusal, so that
 * the next caller can ask about the same.
 */
export async function answersOf<Caller extends string>(
  { expected }: AuthorizationRow<Caller>,
  statusFor: (caller: Caller, isRefused: boolean) => Promise<number>,
): Promise<Record<string, number>> {
  const answered: [Caller, number][] = [];
  for (const [caller, status] of Object.entries<number>(expected) as [Caller, number][])
    answered.push([caller, await statusFor(caller, status >= 400)]);
  return Object.fromEntries(answered);
}
