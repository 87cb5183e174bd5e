/** A job for a thread. */
export interface Order {
  readonly id: number;
  /** The URL of the module. */
  readonly module: string;
  /** The name of the exported function. */
  readonly run: string;
  readonly input: unknown;
}

/** An error without its class, which cannot be sent between threads. */
export interface ThreadFailure {
  readonly name: string;
  readonly message: string;
  readonly reason?: unknown;
  readonly details?: unknown;
  readonly retryAfter?: unknown;
}

/** What a thread reports about a job. `begun`: its module is loaded, and the function is about to run. */
export type ThreadMessage =
  | { readonly id: number; readonly kind: 'begun' }
  | { readonly id: number; readonly kind: 'done'; readonly output: unknown }
  | { readonly id: number; readonly kind: 'failed'; readonly failure: ThreadFailure };
