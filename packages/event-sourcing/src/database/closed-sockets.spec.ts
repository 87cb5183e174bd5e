import { createRequire } from 'node:module';
import { type AddressInfo, type Socket, connect, createServer } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { failWritesToClosedSockets } from './database.js';

type Write = (
  this: { socket: Socket },
  command: { toBin(): Promise<Uint8Array[]> },
  options: { agreedCompressor: 'none' },
) => Promise<void>;

describe('a command to the database', () => {
  it('fails when its socket is being closed, or closes before it takes everything', async () => {
    failWritesToClosedSockets();
    failWritesToClosedSockets();
    const { Connection } = createRequire(import.meta.url)('mongodb/lib/cmap/connection.js') as {
      Connection: { prototype: { writeCommand: Write } };
    };
    const taken: Socket[] = [];
    const server = createServer((socket) => taken.push(socket.pause().on('error', () => undefined)));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const write = (socket: Socket, bytes: number) =>
      Connection.prototype.writeCommand.call(
        { socket },
        { toBin: () => Promise.resolve([Buffer.alloc(bytes)]) },
        { agreedCompressor: 'none' },
      );
    const open = () =>
      new Promise<Socket>((resolve) => {
        const socket = connect(port, '127.0.0.1', () => resolve(socket));
      });
    const [closing, closed, full, whole] = [await open(), await open(), await open(), await open()];
    await expect(write(whole, 10)).resolves.toBeUndefined();
    expect(whole.listenerCount('close')).toBe(closing.listenerCount('close'));
    closing.destroy();
    await expect(write(closing, 10)).rejects.toThrow('the socket was closed');
    await new Promise((resolve) => closed.once('close', resolve).destroy());
    await expect(write(closed, 10)).rejects.toThrow('the socket was closed');
    const waiting = write(full, 64 * 1024 * 1024);
    setImmediate(() => full.destroy());
    await expect(waiting).rejects.toThrow();
    for (const socket of [whole, ...taken]) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
});
