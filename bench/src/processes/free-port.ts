import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

// Below the ports of outgoing connections: a client that keeps calling a server which is away must not be given its
// port.
const lowest = 20_000;
const highest = 32_000;
const attempts = 50;
const given = new Set<number>();

/** A loopback port that is free now and was not given before by this process. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const port = randomInt(lowest, highest);
    if (given.has(port) || !(await isFree(port))) continue;
    given.add(port);
    return port;
  }
  throw new Error(`No free port between ${lowest} and ${highest}`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
