import { isOrderAnswer, type Order } from '../processes/orders.js';
import { StopError } from '../stop-error.js';
import type { Child } from '../supervisor/child.js';
import type { Output } from '../supervisor/output.js';
import { hostName } from './plan.js';

export interface Lending {
  isLent(service: string): boolean;
  /** Stops the own copy of a service; answers what brings it back. @throws StopError when it is not here to lend. */
  lend(service: string): Promise<() => Promise<void>>;
  /** Nothing is brought back any more: the installation ends. */
  close(): void;
  /** To be told of messages of children. */
  onMessage: (message: unknown) => void;
}

export interface LendingOptions {
  services: readonly string[];
  isolated: boolean;
  child: (name: string) => Child | undefined;
  output: Output;
}

const stopMs = 5_000;
const orderMs = 30_000;

/** Gives single services away to a developer's own copy of them, while all others keep running. */
export function createLending({ services, isolated, child, output }: LendingOptions): Lending {
  const lent = new Set<string>();
  const host = createOrders(() => child(hostName));
  let closed = false;

  const bringBack = async (service: string): Promise<void> => {
    lent.delete(service);
    if (closed) return;
    output.info(`${service} is taken back`);
    if (isolated) child(service)?.start();
    else await host.order({ order: 'resume', service });
  };

  return {
    isLent: (service) => lent.has(service),
    async lend(service) {
      if (!services.includes(service)) throw new StopError(`there is no service ${service} here; there are ${services.join(', ')}`);
      if (lent.has(service)) throw new StopError(`${service} is being developed by another process`);
      lent.add(service);
      output.info(`${service} is run by its developer`);
      try {
        await (isolated ? child(service)?.stop(stopMs) : host.order({ order: 'release', service }));
      } catch (error) {
        lent.delete(service);
        throw error;
      }
      return () => bringBack(service);
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
