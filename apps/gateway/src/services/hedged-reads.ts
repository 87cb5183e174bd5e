import type { AppError } from '@scriptorium/contracts';
import type { Requester, ServiceAnswer, ServiceCall } from './requester.js';

/** Nearly all reads are answered within this time; a service that has not answered by then may have died. */
const hedgeAfterMs = 1_000;
/** Second requests at a time. The bound keeps a service that is slow for another reason from getting twice its load. */
const maxHedged = 100;

/**
 * Hedged reads: sends a request that only reads a second time when there is no answer after a second, so that a replica that
 * was killed while it worked on the request costs a second and not the request. The first answer wins, and so does the first
 * refusal, except `unavailable` while the other request is still open.
 */
export function withHedgedReads(client: Requester, after: number = hedgeAfterMs): Requester {
  let hedged = 0;
  const hedge = (call: ServiceCall): Promise<ServiceAnswer> =>
    new Promise((resolve, reject) => {
      let open = 1;
      const failed = (error: AppError): void => {
        open -= 1;
        if (open > 0 && error.reason === 'unavailable') return;
        clearTimeout(timer);
        reject(error);
      };
      const send = (timeoutMs: number): Promise<void> =>
        client.request({ ...call, timeoutMs }).then((answer) => {
          clearTimeout(timer);
          resolve(answer);
        }, failed);
      const timer = setTimeout(() => {
        if (hedged >= maxHedged) return;
        hedged += 1;
        open += 1;
        void send(call.timeoutMs - after).finally(() => (hedged -= 1));
      }, after);
      void send(call.timeoutMs);
    });
  return {
    request: (call) => (call.reads === true && call.timeoutMs > 2 * after ? hedge(call) : client.request(call)),
  };
}
