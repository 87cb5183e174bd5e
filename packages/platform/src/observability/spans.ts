export interface SpanOptions {
  /** `server`: answers a request. `client`: sends one. */
  kind: 'server' | 'client';
  /** Trace context of the caller (W3C `traceparent`), if it sent one. */
  parent: string | undefined;
  attributes?: Record<string, string>;
}

export interface Tracing {
  /**
   * Runs work in a span. The work gets the trace context to forward: that of the span, or the caller's when tracing is
   * off. An error marks the span as failed, unless it is a refusal.
   */
  span<T>(name: string, options: SpanOptions, work: (traceparent: string | undefined) => Promise<T>): Promise<T>;
  /** Sends the remaining spans, within 2 s. */
  stop(): Promise<void>;
}
