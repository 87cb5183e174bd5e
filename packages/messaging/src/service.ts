/** A request as its handler sees it. */
export interface ServedRequest {
  readonly operation: string;
  /** May share memory with other messages: copy it to keep it beyond the request. */
  readonly body: Uint8Array;
  readonly headers: Record<string, string>;
  /** When the requester stops waiting, in milliseconds since the epoch on this machine's clock. */
  readonly deadline: number;
  /** Aborted at the deadline. */
  readonly signal: AbortSignal;
}

export interface ServedAnswer {
  readonly body: Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Service {
  /**
   * Answers one request. A thrown `AppError` reaches the requester as it is; anything else is logged
   * with the request id and reaches it as `unexpected`, without a word about the cause.
   */
  handle(request: ServedRequest): Promise<ServedAnswer>;
  /** Requests handled at once; further ones wait for their turn. Default 256. */
  readonly concurrency?: number;
}
