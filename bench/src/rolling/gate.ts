import { connect, createServer, type Socket } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Cleanup } from '../processes/cleanup.js';

/** A way to a server that can stop to pass bytes, as a network does: nothing is refused and no connection ends. */
export interface Gate {
  port: number;
  shut(): void;
  open(): void;
}

interface Pair {
  near: Socket;
  far: Socket;
}

export async function startGate(target: number, cleanup: Cleanup): Promise<Gate> {
  const pairs = new Set<Pair>();
  const waiting = new Set<Socket>();
  let isShut = false;
  const begin = (near: Socket): void => {
    const pair = { near, far: connect(target, '127.0.0.1') };
    pairs.add(pair);
    const end = (): void => {
      pairs.delete(pair);
      near.destroy();
      pair.far.destroy();
    };
    for (const socket of [near, pair.far]) {
      socket.setNoDelay(true);
      socket.on('error', () => undefined);
      socket.on('close', end);
    }
    pass(pair);
  };
  const server = createServer((near) => {
    near.on('error', () => undefined);
    if (!isShut) return begin(near);
    near.pause();
    waiting.add(near);
    near.once('close', () => waiting.delete(near));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanup.add(() => {
    for (const { near } of pairs) near.destroy();
    for (const near of waiting) near.destroy();
    server.close();
  });
  return {
    port: (server.address() as AddressInfo).port,
    shut() {
      isShut = true;
      for (const { near, far } of pairs) {
        for (const [from, to] of [
          [near, far],
          [far, near],
        ] as const) {
          from.unpipe(to);
          from.pause();
        }
      }
    },
    open() {
      isShut = false;
      for (const pair of pairs) pass(pair);
      for (const near of waiting) begin(near);
      waiting.clear();
    },
  };
}

function pass({ near, far }: Pair): void {
  near.pipe(far);
  far.pipe(near);
}
