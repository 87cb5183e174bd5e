import type { Scope } from '@scriptorium/platform';

/**
 * The same work, whose events belong to the organization of a space whose content may be changed.
 * @throws AppError `not_found` for one that is deleted, `space_read_only` for the result of a translation
 */
export type InWritableSpace = <S extends Scope>(scope: S, space: string) => Promise<S>;

/** Gives the controller what knows the spaces. */
export class WritableSpaces {
  constructor(readonly inWritableSpace: InWritableSpace) {}
}
