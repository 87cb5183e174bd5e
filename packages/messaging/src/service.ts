/** A request as its handler gets it. */
export interface ServedRequest {
  readonly operation: string;
  /** It may share memory with other messages, so copy it to keep it beyond the request. */
  readonly body: Uint8Array;
  readonly headers: Record<string, string>;
  /** When the requester stops waiting, in milliseconds since 1970 by the clock of this machine. */
  readonly deadline: number;
  /** Aborts at the deadline. */
  readonly signal: AbortSignal;
}

export interface ServedAnswer {
  readonly body: Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Service {
  /**
   * Answers one request. A thrown `AppError` is sent to the requester as it is. Any other error is logged with the
   * request id and sent as `unexpected`, without its cause.
   */
  handle(request: ServedRequest): Promise<ServedAnswer>;
  /** Requests that are handled at the same time; others wait. Default: 256. */
  readonly concurrency?: number;
}
