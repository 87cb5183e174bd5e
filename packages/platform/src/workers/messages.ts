/** What a thread is asked to do. */
export interface Order {
  readonly id: number;
  /** URL of a module. */
  readonly module: string;
  /** Name of the function that it exports. */
  readonly run: string;
  readonly input: unknown;
}

/** An error without its class, which does not survive the way between threads. */
export interface ThreadFailure {
  readonly name: string;
  readonly message: string;
  readonly reason?: unknown;
  readonly details?: unknown;
  readonly retryAfter?: unknown;
}

/** What a thread says of an order. `begun`: its module is loaded, and the function is about to run. */
export type ThreadMessage =
  | { readonly id: number; readonly kind: 'begun' }
  | { readonly id: number; readonly kind: 'done'; readonly output: unknown }
  | { readonly id: number; readonly kind: 'failed'; readonly failure: ThreadFailure };
