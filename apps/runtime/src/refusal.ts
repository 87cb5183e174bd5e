/** Why a call has no answer of a script, each with its HTTP status. Callers recognise a refusal by this name. */
export const refusalStatus = {
  invalid_request: 400,
  unauthenticated: 401,
  not_found: 404,
  method_not_allowed: 405,
  /** The script has to be sent first, with `PUT /scripts/<hash>`. */
  script_needed: 409,
  too_large: 413,
  unexpected: 500,
  /** No engine runs on this machine. */
  runtime_unavailable: 501,
  /** The script cannot be loaded, or its process ended without an answer. */
  script_failed: 502,
  /** The script has not let its process answer for some seconds. */
  script_blocked: 502,
  script_out_of_memory: 502,
  /** The integration was ended too often in a short time. */
  integration_resting: 503,
  /** There is no room for another call or process. */
  runtime_busy: 503,
  integration_timeout: 504,
} as const;

export type RefusalReason = keyof typeof refusalStatus;

export interface RefusalOptions {
  /** The part of the request that is wrong, such as `headers.scriptorium-deadline`. */
  field?: string | undefined;
  /** Seconds after which the caller can try again. */
  retryAfter?: number | undefined;
  cause?: unknown;
}

/** The one error of this process that callers see. */
export class Refusal extends Error {
  readonly reason: RefusalReason;
  readonly field: string | undefined;
  readonly retryAfter: number | undefined;

  constructor(reason: RefusalReason, message: string, { field, retryAfter, cause }: RefusalOptions = {}) {
    super(message, { cause });
    this.name = 'Refusal';
    this.reason = reason;
    this.field = field;
    this.retryAfter = retryAfter;
  }
}

/** An error that one part of the request causes. */
export const blame = (field: string, message: string): Refusal => new Refusal('invalid_request', message, { field });
