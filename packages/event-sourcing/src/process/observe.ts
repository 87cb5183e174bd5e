/** The part of a structured logger the package uses; pino fits. Messages never hold payloads, values or tokens. */
export interface Logger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export const silentLogger: Logger = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** Called as things happen; whoever runs the store turns them into counters and histograms. All are optional. */
export interface StoreMetrics {
  appended?(entity: string, events: number): void;
  conflict?(entity: string): void;
  /** A writer waited 2 s for the projections and was answered without them. */
  waitExceeded?(): void;
  /** One batch written by a projection, and how long ago (ms) its last event had been recorded. */
  projected?(projection: string, events: number, lagMs: number): void;
  stopped?(projection: string, eventType: string): void;
  parked?(reactor: string, eventType: string): void;
  lease?(consumer: string, held: boolean): void;
  /** How many runs this replica works on. */
  runsActive?(count: number): void;
  runStepFailed?(kind: string): void;
  runEnded?(kind: string, outcome: string): void;
}

/** What is known of an error without its payload. */
export function describe(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
