import { createServer, type Server } from 'node:net';
import { hostname } from 'node:os';
import { afterEach, describe, expect, it } from '@jest/globals';
import { freePort, ownPorts, portProblem } from './free-port.js';

const servers: Server[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
});

async function listen(port: number): Promise<void> {
  const server = createServer();
  servers.push(server);
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
}

describe('free ports', () => {
  it('differ for each of many processes of one machine', () => {
    const all = Array.from({ length: 600 }, (_, index) => ownPorts(4_194_000 + index, 'machine')).flat();
    expect(new Set(all).size).toBe(all.length);
    expect([Math.min(...all), Math.max(...all)]).toEqual([20_000, 31_999]);
  });

  it('differ for processes with the same number on other machines', () => {
    expect(ownPorts(1, 'one')).not.toEqual(ownPorts(1, 'two'));
  });

  it('come from the range of the process, without those in use or given before', async () => {
    const free: number[] = [];
    for (const port of ownPorts(process.pid, hostname()))
      if ((await portProblem('127.0.0.1', port)) === undefined) free.push(port);
    const [first = 0, second = 0, third = 0] = free;
    await listen(second);
    const taken = new Set<number>();
    expect([await freePort('127.0.0.1', taken), await freePort('127.0.0.1', taken)]).toEqual([first, third]);
    expect([...taken]).toEqual([first, third]);
    expect(await portProblem('127.0.0.1', second)).toBe('EADDRINUSE');
  });

  it('come from elsewhere when the range of the process is used up', async () => {
    const own = ownPorts(process.pid, hostname());
    const port = await freePort('127.0.0.1', new Set(own));
    expect(own).not.toContain(port);
    await listen(port);
  });
});
