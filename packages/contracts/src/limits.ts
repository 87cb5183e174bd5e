import { AppError } from './errors.js';

/** Bounds of one request: part of the contract, the same in every installation. Beyond them a request is refused with 400. */
export const requestBounds = {
  /** Items of one page of a list. */
  pageSize: 1000,
  /** Entries of one request that adds or removes many. */
  batch: 500,
} as const;

/**
 * Something that can grow, and how far unless an installation is configured otherwise. Beyond it a request is answered with 409
 * `limit_reached`, which names the limit and its number. The setting of a limit is its name in capitals behind `MAX_`.
 */
export interface LimitDeclaration {
  /** What holds unless it is set. */
  readonly preset: number;
  /** What is counted: `members of an organization`. */
  readonly of: string;
  /** The highest number that it can be set to; one million unless told. It keeps a slip of the hand from switching it off. */
  readonly most?: number;
}

/** The refusal that names an exceeded limit and the number that holds in this installation. */
export function limitReached(name: string, limit: number): AppError {
  return new AppError('limit_reached', [{ path: name, message: `At most ${limit}` }], {
    message: `${name}: At most ${limit}`,
  });
}
