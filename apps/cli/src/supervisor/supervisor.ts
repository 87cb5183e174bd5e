import { createChild, type Child, type ChildSpec, type GivenUp } from './child.js';
import type { Output } from './output.js';
import { timings as usual, type Timings } from './timings.js';

/** The processes of an installation, in the order in which they depend on each other. */
export interface Plan {
  /** The embedded servers; absent if there are none. */
  servers?: ChildSpec;
  services: readonly ChildSpec[];
  gateway: ChildSpec;
}

export interface Supervisor {
  /** All children, beginning with the servers. */
  readonly children: readonly Child[];
  /** Rejects with the one line to show when a child was given up. Never resolves. */
  readonly failed: Promise<never>;
  /** Starts the servers and, when they are ready, all others. */
  start(): void;
  /**
   * Ends all processes within `withinMs`: first the gateway, which finishes its requests, then the services, then the
   * servers.
   */
  stop(withinMs: number): Promise<void>;
}

export interface SupervisorOptions {
  output: Output;
  timings?: Timings;
  onMessage?(child: string, message: unknown): void;
  /** Creates the error with which `failed` rejects. */
  failure(message: string, why: GivenUp): Error;
}

/** The parts of the time to stop after which gateway, services and servers are killed. */
const shares = { gateway: 0.6, services: 0.8, servers: 0.95 };

export function createSupervisor(plan: Plan, options: SupervisorOptions): Supervisor {
  let fail: (error: Error) => void = () => undefined;
  const failed = new Promise<never>((_, reject) => {
    fail = reject;
  });
  // Callers that wait for it see the rejection. Without any, it must not count as unhandled.
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
    // Also called when the servers are ready after a restart. Then the others run, and starting them has no effect.
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
