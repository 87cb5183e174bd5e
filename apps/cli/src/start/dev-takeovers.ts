import { isOrderAnswer, type Order } from '../processes/orders.js';
import { StopError } from '../stop-error.js';
import type { Child } from '../supervisor/child.js';
import type { Output } from '../supervisor/output.js';
import { hostName } from './plan.js';

export interface DevTakeovers {
  isTakenOver(service: string): boolean;
  /**
   * Stops the installation's own copy of a service. Returns the function that starts it again.
   * @throws StopError when the service cannot be taken over
   */
  begin(service: string): Promise<() => Promise<void>>;
  /** The installation ends: no service is started again. */
  close(): void;
  /** Handles the messages of child processes. */
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

/** Manages dev takeovers: a developer runs single services while the installation runs all others. */
export function createDevTakeovers({ services, isolated, child, output }: DevTakeoversOptions): DevTakeovers {
  const takenOver = new Set<string>();
  const host = createOrders(() => child(hostName));
  let closed = false;

  const end = async (service: string): Promise<void> => {
    takenOver.delete(service);
    if (closed) return;
    output.info(`${service} runs in the installation again`);
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

/** Sends orders to the host of services, which answers each with a message. */
function createOrders(host: () => Child | undefined) {
  const waiting = new Map<string, (error: string | undefined) => void>();
  return {
    /** @throws StopError when the host could not carry out the order, or did not answer */
    async order(message: Order): Promise<void> {
      // A host that is starting gets the order by its environment.
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
