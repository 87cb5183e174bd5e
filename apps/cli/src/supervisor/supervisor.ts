import { createChild, type Child, type ChildSpec, type GivenUp } from './child.js';
import type { Output } from './output.js';
import { timings as usual, type Timings } from './timings.js';

/** The processes of an installation, in the order in which they need each other. */
export interface Plan {
  /** The embedded servers; absent when all servers stand elsewhere. */
  servers?: ChildSpec;
  services: readonly ChildSpec[];
  gateway: ChildSpec;
}

export interface Supervisor {
  /** All children, servers first. */
  readonly children: readonly Child[];
  /** Rejects when a child was given up, with the one line to show. Never resolves. */
  readonly failed: Promise<never>;
  /** Starts the servers and, once they are ready, all others. */
  start(): void;
  /** Ends all within `withinMs`: the gateway first, which finishes what it began, then services, then servers. */
  stop(withinMs: number): Promise<void>;
}

export interface SupervisorOptions {
  output: Output;
  timings?: Timings;
  onMessage?(child: string, message: unknown): void;
  /** Makes the error that `failed` rejects with. */
  failure(message: string, why: GivenUp): Error;
}

/** Parts of the time to stop at whose end gateway, services and servers are killed. */
const shares = { gateway: 0.6, services: 0.8, servers: 0.95 };

export function createSupervisor(plan: Plan, options: SupervisorOptions): Supervisor {
  let fail: (error: Error) => void = () => undefined;
  const failed = new Promise<never>((_, reject) => {
    fail = reject;
  });
  // Whoever waits for it sees the rejection; that nobody does is no crash.
  failed.catch(() => undefined);
  const child = (spec: ChildSpec, onReady?: () => void) =>
    createChild(spec, {
      output: options.output,
      timings: options.timings ?? usual,
      onGivenUp: (message, why) => fail(options.failure(message, why)),
      onMessage: (message) => options.onMessage?.(spec.name, message),
      ...(onReady === undefined ? {} : { onReady }),
    });
  let stopping = false;
  const startRest = () => {
    // Also when the servers came back after a death: all others run then, and starting them again does nothing.
    if (!stopping) for (const each of [...services, gateway]) each.start();
  };
  const servers = plan.servers === undefined ? [] : [child(plan.servers, startRest)];
  const services = plan.services.map((spec) => child(spec));
  const gateway = child(plan.gateway);
  return {
    children: [...servers, ...services, gateway],
    failed,
    start() {
      if (servers.length === 0) startRest();
      for (const server of servers) server.start();
    },
    async stop(withinMs) {
      stopping = true;
      const end = performance.now() + withinMs;
      const left = (share: number) => end - withinMs * (1 - share) - performance.now();
      await gateway.stop(left(shares.gateway));
      await Promise.all(services.map((each) => each.stop(left(shares.services))));
      await Promise.all(servers.map((each) => each.stop(left(shares.servers))));
    },
  };
}
