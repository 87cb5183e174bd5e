import { createHash, randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { hostname } from 'node:os';

// Below the ports that systems use for outgoing connections. Otherwise a client that tries to reach a restarting server
// could get the server's own port and connect to itself.
const lowest = 20_000;
const highest = 32_000;
const blockSize = 20;
const attempts = 50;

/** Checks whether a process can listen on the port now. Returns the system's error code if not. */
export async function portProblem(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    probe.listen({ host, port }, () => probe.close(() => resolve(undefined)));
  });
}

/**
 * The ports that a process tries first. Some time passes between choosing a port and listening on it, and two
 * installations that start at the same time must not choose the same one. So each process id has other ports. The name
 * of the machine distinguishes containers that share a network.
 */
export function ownPorts(pid: number, machine: string): number[] {
  const offset = createHash('sha256').update(machine).digest().readUInt32LE(0);
  const first = lowest + ((pid + offset) % ((highest - lowest) / blockSize)) * blockSize;
  return Array.from({ length: blockSize }, (_, index) => first + index);
}

const given = new Set<number>();

/**
 * A port that is free now and not in `taken`, to which it is added. Without arguments: a port of the loopback address
 * that this process was not given before.
 */
export async function freePort(host = '127.0.0.1', taken = given): Promise<number> {
  const own = ownPorts(process.pid, hostname());
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const port = own[attempt] ?? randomInt(lowest, highest);
    if (taken.has(port) || (await portProblem(host, port)) !== undefined) continue;
    taken.add(port);
    return port;
  }
  throw new Error(`No free port between ${lowest} and ${highest} on ${host}`);
}
