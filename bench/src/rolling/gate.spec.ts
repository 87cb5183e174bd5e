import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Cleanup } from '../processes/cleanup.js';
import { waitFor } from '../processes/wait-for.js';
import { startGate, type Gate } from './gate.js';

const cleanup = new Cleanup();
let gate: Gate;
let accepted = 0;
beforeAll(async () => {
  const echo = createServer((socket) => {
    accepted += 1;
    socket.on('error', () => undefined);
    socket.pipe(socket);
  });
  echo.listen(0, '127.0.0.1');
  await once(echo, 'listening');
  cleanup.add(() => void echo.close());
  gate = await startGate((echo.address() as AddressInfo).port, cleanup);
});
afterAll(() => cleanup.run());

async function client(): Promise<{ socket: Socket; heard: () => string }> {
  const socket = connect(gate.port, '127.0.0.1');
  cleanup.add(() => void socket.destroy());
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  await once(socket, 'connect');
  return { socket, heard: () => text };
}

describe('a gate', () => {
  it('passes bytes, holds them back while it is shut, without ending a connection, and passes them then', async () => {
    const early = await client();
    early.socket.write('a');
    await waitFor('an echo', () => early.heard() === 'a', 5_000);
    gate.shut();
    early.socket.write('b');
    const late = await client();
    late.socket.write('c');
    // The gate has the bytes by now, and has passed none on: an echo of a connection of its own would have come in this
    // time.
    await expect(waitFor('an echo', () => early.heard() + late.heard() !== 'a', 300)).rejects.toThrow();
    expect([accepted, early.socket.closed, late.socket.closed]).toEqual([1, false, false]);
    gate.open();
    await waitFor('both echoes', () => early.heard() === 'ab' && late.heard() === 'c', 5_000);
  });
});
