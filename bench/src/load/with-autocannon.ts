import autocannon from 'autocannon';
import type { Load, LoadResult } from './model.js';

/** Runs autocannon within this process; slower than wrk, so its figures compare only with its own. */
export async function runAutocannon(load: Load): Promise<LoadResult> {
  const { endpoint, token, requests, perConnection, connections, seconds } = load;
  let connection = 0;
  let sent = 0;
  const next = () => (sent += 1);
  const result = await autocannon({
    url: endpoint,
    connections,
    duration: seconds,
    timeout: 10,
    setupClient(client) {
      const first = connection;
      connection += 1;
      const own = perConnection ? [requests[first % requests.length] ?? requests[0]] : requests;
      client.setRequests(
        own.flatMap((request) =>
          request === undefined
            ? []
            : [
                {
                  method: request.method,
                  path: request.path,
                  headers: {
                    'content-type': 'application/json',
                    ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
                    ...request.headers,
                  },
                  ...(request.body === undefined
                    ? {}
                    : {
                        setupRequest: (raw: autocannon.Request) => {
                          const n = String(next());
                          const headers = Object.fromEntries(
                            Object.entries(raw.headers).map(([name, value]) => [
                              name,
                              value.replace('{n}', n).replace('{c}', String(first)),
                            ]),
                          );
                          return { ...raw, headers, body: request.body?.replaceAll('{n}', n) ?? '' };
                        },
                      }),
                },
              ],
        ),
      );
    },
  });
  return {
    rate: result.requests.total / result.duration,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    failures: result.non2xx + result.errors + result.timeouts,
  };
}
