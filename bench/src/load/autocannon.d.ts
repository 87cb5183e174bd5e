/** What is used of autocannon, which ships no types. */
declare module 'autocannon' {
  namespace autocannon {
    interface Request {
      method: string;
      path: string;
      headers: Record<string, string>;
      setupRequest?: (request: Request) => object;
    }
    interface Client {
      setRequests(requests: readonly Request[]): void;
    }
    interface Options {
      url: string;
      connections: number;
      /** Seconds. */
      duration: number;
      /** Seconds. */
      timeout: number;
      setupClient(client: Client): void;
    }
    interface Result {
      duration: number;
      requests: { total: number };
      /** Milliseconds. */
      latency: { p50: number; p99: number };
      non2xx: number;
      errors: number;
      timeouts: number;
    }
  }
  function autocannon(options: autocannon.Options): Promise<autocannon.Result>;
  export = autocannon;
}
