import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import { MongoNetworkError } from 'mongodb';

interface Connection {
  readonly socket: Socket;
}
type Write = (this: Connection, command: unknown, options: unknown) => Promise<void>;

const load = createRequire(import.meta.url);
const guarded = new WeakSet<object>();

/**
 * The driver (7.9.0) waits for ever for a command that it writes to a socket which is being closed: such a write is
 * refused without an event, and the driver knows only `drain` and `error`. Where that is the heartbeat, the server is
 * never seen again. Makes the close of the socket fail the command, in all clients of the process; once.
 * @throws Error when the driver is not built the way this counts on: another version needs another look.
 */
export function failWritesToClosedSockets(): void {
  const { Connection } = load('mongodb/lib/cmap/connection.js') as {
    Connection?: { prototype: { writeCommand?: Write } };
  };
  const write = Connection?.prototype.writeCommand;
  if (Connection === undefined || write === undefined)
    throw new Error('This version of the MongoDB driver writes its commands in another way');
  if (guarded.has(Connection)) return;
  guarded.add(Connection);
  Connection.prototype.writeCommand = async function writeUnlessClosed(command, options) {
    const { socket } = this;
    let fail = (): void => undefined;
    const closed = new Promise<never>((_, reject) => {
      fail = () => reject(new MongoNetworkError('the socket was closed'));
      socket.once('close', fail);
      if (socket.closed) fail();
    });
    try {
      await Promise.race([write.call(this, command, options), closed]);
    } finally {
      socket.off('close', fail);
    }
  };
}
