import type { Scope } from '@scriptorium/platform';

/**
 * The same work, whose events belong to the organization of a space that is not deleted. @throws AppError `not_found`
 */
export type InLiveSpace = <S extends Scope>(scope: S, space: string) => Promise<S>;

/** Gives the controller what knows the spaces. */
export class LiveSpaces {
  constructor(readonly inLiveSpace: InLiveSpace) {}
}
