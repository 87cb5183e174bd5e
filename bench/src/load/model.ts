export interface LoadRequest {
  method: 'GET' | 'PATCH' | 'POST' | 'PUT';
  path: string;
  /** JSON; each `{n}` becomes a number that no other request of the run has on this connection. */
  body?: string;
  /** Further headers; in them `{n}` as in bodies, and `{c}` becomes the number of the connection. */
  headers?: Record<string, string>;
}

export interface Load {
  /** Scheme, host and port. */
  endpoint: string;
  token?: string;
  requests: readonly LoadRequest[];
  /** Whether connection `i` sends request `i` only; otherwise all requests are sent in turn. */
  perConnection: boolean;
  connections: number;
  seconds: number;
}

export interface LoadResult {
  /** Requests answered in a second. */
  rate: number;
  p50Ms: number;
  p99Ms: number;
  /** Answers other than 2xx, and requests without one. */
  failures: number;
}
