import { AppError } from './errors.js';

/**
 * Limits of one request. They are part of the contract and the same in every installation. A request that exceeds them
 * gets 400.
 */
export const requestBounds = {
  /** Items in one page of a list. */
  pageSize: 1000,
  /** Entries in one request that adds or removes many. */
  batch: 500,
} as const;

/**
 * Something whose number is limited. A request that exceeds the limit gets 409 `limit_reached`, which names the limit
 * and its number. The setting of a limit is its name in capitals, after `MAX_`.
 */
export interface LimitDeclaration {
  /** The default. */
  readonly preset: number;
  /** What is counted, as in `members of an organization`. */
  readonly of: string;
  /** The highest value of the setting, so that a typing error does not switch the limit off. Default: one million. */
  readonly most?: number;
  /** For what is limited in time: beyond it 429 `rate_limited`, until some time has passed. */
  readonly inTime?: true;
}

/** The refusal that names an exceeded limit and the number that holds in this installation. */
export function limitReached(name: string, limit: number): AppError {
  return new AppError('limit_reached', [{ path: name, message: `At most ${limit}` }], {
    message: `${name}: At most ${limit}`,
  });
}
