/** What the gateway needs of messaging: one exchange with a service. */
export interface Requester {
  /** Rejects with an `AppError`: that of the service, or `unavailable` when none answers within `timeoutMs`. */
  request(call: ServiceCall): Promise<ServiceAnswer>;
}

/** One request to an operation of a service. */
export interface ServiceCall {
  service: string;
  operation: string;
  body: Uint8Array;
  headers: Record<string, string>;
  timeoutMs: number;
  /** Whether the request may be sent twice, because it changes nothing. */
  reads?: boolean;
}

/** What a service answered. */
export interface ServiceAnswer {
  body: Uint8Array;
  headers: Record<string, string>;
}
