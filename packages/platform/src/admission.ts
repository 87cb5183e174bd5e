import type { Operation, Principal, Standing } from '@scriptorium/contracts';

/** Works out how a caller stands to the resource that the path parameters name. */
export type StandingOf = (principal: Principal, params: Readonly<Record<string, string>>) => Promise<Standing>;

/** One resolver for each kind of resource that the service's operations name in their access rules. */
export type Standings = Partial<Record<Operation['access']['resource'], StandingOf>>;

/** How a caller of an operation is judged. */
export interface Admission {
  operation: Operation;
  standing: StandingOf;
}
