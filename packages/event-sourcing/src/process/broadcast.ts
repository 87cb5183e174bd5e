/** Fire-and-forget messages to all replicas, such as NATS core gives. Loss is expected and made up for by reading. */
export interface Broadcast {
  publish(subject: string, body: Uint8Array): void;
  subscribe(subject: string, handler: (body: Uint8Array) => void): Promise<{ stop(): void }>;
}

/** A broadcast within one process: for one replica alone, and for tests. */
export function localBroadcast(): Broadcast {
  const handlers = new Map<string, Set<(body: Uint8Array) => void>>();
  return {
    publish(subject, body) {
      for (const handler of handlers.get(subject) ?? []) queueMicrotask(() => handler(body));
    },
    subscribe(subject, handler) {
      const all = handlers.get(subject) ?? new Set();
      handlers.set(subject, all.add(handler));
      return Promise.resolve({ stop: () => void all.delete(handler) });
    },
  };
}
