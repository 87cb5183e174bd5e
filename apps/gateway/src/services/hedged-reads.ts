import type { AppError } from '@scriptorium/contracts';
import type { Requester, ServiceAnswer, ServiceCall } from './requester.js';

/** Nearly all reads are answered within this time; a service that has not answered by then may have died. */
const hedgeAfterMs = 1_000;
/** Second requests at a time. The bound keeps a service that is slow for another reason from getting twice its load. */
const maxHedged = 100;

/**
 * Hedged reads: sends a request that only reads a second time when there is no answer after a second, so that a replica
 * that was killed while it worked on the request costs a second and not the request. The first answer wins, and so does
 * the first refusal, except `unavailable` while another request is still open: when no replica is left, it is sent
 * again each second.
 */
export function withHedgedReads(client: Requester, after: number = hedgeAfterMs): Requester {
  let hedged = 0;
  const hedge = (call: ServiceCall): Promise<ServiceAnswer> =>
    new Promise((resolve, reject) => {
      const end = performance.now() + call.timeoutMs;
      let open = 0;
      let answered = false;
      let timer: NodeJS.Timeout | undefined;
      const failed = (error: AppError): void => {
        if (answered) return;
        open -= 1;
        clearTimeout(timer);
        if (open > 0 && error.reason === 'unavailable') return wait();
        reject(error);
      };
      const send = (timeoutMs: number): Promise<void> => {
        open += 1;
        return client.request({ ...call, timeoutMs }).then((answer) => {
          answered = true;
          clearTimeout(timer);
          resolve(answer);
        }, failed);
      };
      const wait = (): void => {
        timer = setTimeout(() => {
          const left = Math.floor(end - performance.now());
          if (left < 1 || hedged >= maxHedged) return;
          hedged += 1;
          void send(left).finally(() => (hedged -= 1));
        }, after);
      };
      void send(call.timeoutMs);
      wait();
    });
  return {
    request: (call) => (call.reads === true && call.timeoutMs > 2 * after ? hedge(call) : client.request(call)),
  };
}
