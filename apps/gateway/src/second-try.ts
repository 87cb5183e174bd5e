import type { AppError } from '@scriptorium/contracts';
import type { Requester, ServiceAnswer, ServiceCall } from './ports.js';

/** Nearly all reads are answered long before; whoever has not answered by then may have died with the request. */
const patienceMs = 1_000;
/** Services that are slow for another reason get no more than so many requests twice. */
const mostAtOnce = 100;

/**
 * Sends what only reads once more when nobody has answered for a second, so that a replica that was killed with a request in
 * hand costs a second and not the request. The first answer counts; a refusal is one, but not that nobody is there to ask.
 */
export function withSecondTries(client: Requester, after: number = patienceMs): Requester {
  let running = 0;
  const twice = (call: ServiceCall): Promise<ServiceAnswer> =>
    new Promise((resolve, reject) => {
      let asked = 1;
      const failed = (error: AppError): void => {
        asked -= 1;
        if (asked > 0 && error.reason === 'unavailable') return;
        clearTimeout(timer);
        reject(error);
      };
      const ask = (timeoutMs: number): Promise<void> => client.request({ ...call, timeoutMs }).then((answer) => {
        clearTimeout(timer);
        resolve(answer);
      }, failed);
      const timer = setTimeout(() => {
        if (running >= mostAtOnce) return;
        running += 1;
        asked += 1;
        void ask(call.timeoutMs - after).finally(() => (running -= 1));
      }, after);
      void ask(call.timeoutMs);
    });
  return { request: (call) => (call.reads === true && call.timeoutMs > 2 * after ? twice(call) : client.request(call)) };
}
