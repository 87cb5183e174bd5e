import type { App } from '@scriptorium/platform';
import type { Order, OrderAnswer } from './orders.js';

export interface Host {
  /** All services of the host as one app. */
  app: App;
  startAll(names: readonly string[]): Promise<void>;
  /** Stops or starts one service while the others run. Never throws: a failure is in the answer. */
  obey(order: Order): Promise<OrderAnswer>;
}

/**
 * Creates a host of several services in one process. Each can be stopped and started alone. Orders are carried out one
 * after the other.
 */
export function createHost(start: (name: string) => Promise<App>): Host {
  const running = new Map<string, App>();
  let last: Promise<unknown> = Promise.resolve();
  const run = async ({ order, service }: Order): Promise<void> => {
    const app = running.get(service);
    if (order === 'resume' && app === undefined) running.set(service, await start(service));
    if (order === 'release' && app !== undefined) {
      running.delete(service);
      await app.stop();
    }
  };
  return {
    async startAll(names) {
      await Promise.all(names.map((service) => run({ order: 'resume', service })));
    },
    async obey(order) {
      const turn = last.then(() => run(order));
      last = turn.catch(() => undefined);
      const answer = { done: order.order, service: order.service };
      return turn.then(
        () => answer,
        (error: unknown) => ({ ...answer, error: String(error) }),
      );
    },
    app: {
      name: 'services',
      async checks() {
        const reports = [...running.values()].map(async (app) =>
          (await app.checks()).map((check) => ({ ...check, name: `${app.name} ${check.name}` })),
        );
        return (await Promise.all(reports)).flat();
      },
      async stop() {
        await Promise.all([...running.values()].map((app) => app.stop()));
      },
    },
  };
}
