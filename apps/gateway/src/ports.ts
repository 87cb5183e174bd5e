/** What the gateway needs of messaging: one exchange with a service. */
export interface Requester {
  /** Rejects with an `AppError`: that of the service, or `unavailable` when none answers within `timeoutMs`. */
  request(call: ServiceCall): Promise<ServiceAnswer>;
}

export interface ServiceCall {
  service: string;
  operation: string;
  body: Uint8Array;
  headers: Record<string, string>;
  timeoutMs: number;
  /** Whether it may be asked twice, as nothing changes by it. */
  reads?: boolean;
}

export interface ServiceAnswer {
  body: Uint8Array;
  headers: Record<string, string>;
}

/** Where the gateway writes what people who run it should know. Never given a token or a body. */
export interface Logger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Told once for each answered request of an operation; `outcome` is `ok` or the reason of the refusal. */
export type Observe = (answer: { operation: string; outcome: string; status: number; milliseconds: number; requestId: string }) => void;
