import { isOrderAnswer, type Order } from '../processes/orders.js';
import { StopError } from '../stop-error.js';
import type { Child } from '../supervisor/child.js';
import type { Output } from '../supervisor/output.js';
import { hostName } from './plan.js';

export interface DevTakeovers {
  isTakenOver(service: string): boolean;
  /** Stops the own copy of a service; answers what starts it again. @throws StopError when it is not here to be taken. */
  begin(service: string): Promise<() => Promise<void>>;
  /** No service is started again any more: the installation ends. */
  close(): void;
  /** To be told of messages of children. */
  onMessage: (message: unknown) => void;
}

export interface DevTakeoversOptions {
  services: readonly string[];
  isolated: boolean;
  child: (name: string) => Child | undefined;
  output: Output;
}

const stopMs = 5_000;
const orderMs = 30_000;

/** Dev takeovers: single services are run by a developer's own copy of them, while all others keep running. */
export function createDevTakeovers({ services, isolated, child, output }: DevTakeoversOptions): DevTakeovers {
  const takenOver = new Set<string>();
  const host = createOrders(() => child(hostName));
  let closed = false;

  const end = async (service: string): Promise<void> => {
    takenOver.delete(service);
    if (closed) return;
    output.info(`${service} is taken back`);
    if (isolated) child(service)?.start();
    else await host.order({ order: 'resume', service });
  };

  return {
    isTakenOver: (service) => takenOver.has(service),
    async begin(service) {
      if (!services.includes(service))
        throw new StopError(`there is no service ${service} here; there are ${services.join(', ')}`);
      if (takenOver.has(service)) throw new StopError(`${service} is being developed by another process`);
      takenOver.add(service);
      output.info(`${service} is run by its developer`);
      try {
        await (isolated ? child(service)?.stop(stopMs) : host.order({ order: 'release', service }));
      } catch (error) {
        takenOver.delete(service);
        throw error;
      }
      return () => end(service);
    },
    close() {
      closed = true;
    },
    onMessage: host.onMessage,
  };
}

/** Orders to the host of services, each answered by a message. */
function createOrders(host: () => Child | undefined) {
  const waiting = new Map<string, (error: string | undefined) => void>();
  return {
    /** @throws StopError when the host could not do it, or did not answer. */
    async order(message: Order): Promise<void> {
      // A host that is just being started is told by its environment.
      if (host()?.isReady() !== true) return;
      const key = `${message.order} ${message.service}`;
      const error = await new Promise<string | undefined>((resolve) => {
        const late = setTimeout(() => resolve(`no answer within ${orderMs / 1000} s`), orderMs);
        waiting.set(key, (outcome) => {
          clearTimeout(late);
          resolve(outcome);
        });
        host()?.send(message);
      });
      waiting.delete(key);
      if (error !== undefined) throw new StopError(`${message.service}: ${error}`);
    },
    onMessage: (message: unknown) => {
      if (isOrderAnswer(message)) waiting.get(`${message.done} ${message.service}`)?.(message.error);
    },
  };
}
