interface Disposable {
  dispose(): Promise<void>;
}

/** A client that can be replaced by a new one. */
export interface Renewable<C> {
  get(): C;
  /** Replaces this client, unless that was done already. */
  renew(broken: C): void;
  close(): Promise<void>;
}

/** The calls of a client that was replaced may take so long. In ms. */
const callsEndWithin = 5000;

/**
 * The client keeps the failed answer to its first request (which calls the server supports) forever. So a new client is
 * opened after a failure, at most once a second. The old one can finish its calls.
 */
export function renewable<C extends Disposable>(open: () => C): Renewable<C> {
  let current = open();
  let since = performance.now();
  const old = new Set<C>();
  return {
    get: () => current,
    renew(broken) {
      if (broken !== current || performance.now() - since < 1000) return;
      old.add(current);
      current = open();
      since = performance.now();
      setTimeout(() => {
        old.delete(broken);
        void broken.dispose();
      }, callsEndWithin).unref();
    },
    close: async () => {
      await Promise.all([...old, current].map((client) => client.dispose()));
    },
  };
}
