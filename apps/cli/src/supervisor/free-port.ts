import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

// Below the ports that systems give to outgoing connections: a client that keeps trying to reach a server which is
// just being restarted could otherwise be given the server's own port, and connect to itself.
const lowest = 20_000;
const highest = 32_000;
const attempts = 50;

/** Whether the port can be listened on now; the system's error code when not. */
export async function portProblem(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    probe.listen({ host, port }, () => probe.close(() => resolve(undefined)));
  });
}

/** A port that is free now and that no other call of `taken` has been given. */
export async function freePort(host: string, taken: Set<number> = new Set()): Promise<number> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const port = randomInt(lowest, highest);
    if (taken.has(port) || (await portProblem(host, port)) !== undefined) continue;
    taken.add(port);
    return port;
  }
  throw new Error(`No free port between ${lowest} and ${highest} on ${host}`);
}
