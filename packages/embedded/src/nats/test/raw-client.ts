import { connect, type Socket } from 'node:net';

/** A client that speaks bytes, to see what the official client would hide. */
export interface RawClient {
  readonly socket: Socket;
  /** Everything received after the INFO line, with `|` for each line end. */
  received(): string;
  write(bytes: string | Buffer): void;
  /** Waits until the condition holds for what was received; fails after `timeoutMs`. */
  until(condition: (received: string) => boolean, timeoutMs?: number): Promise<string>;
  /** What was received until the server closed the connection. */
  closed(timeoutMs?: number): Promise<string>;
}

/** Connects and waits for INFO. */
export async function rawClient(port: number, host = '127.0.0.1'): Promise<RawClient> {
  const socket = connect(port, host);
  const chunks: Buffer[] = [];
  let ended = false;
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.on('close', () => (ended = true));
  socket.on('error', () => (ended = true));
  const received = () =>
    Buffer.concat(chunks)
      .toString('latin1')
      .replace(/^INFO [^\n]*\n/, '')
      .replaceAll('\r\n', '|');
  const wait = async (condition: () => boolean, what: string, timeoutMs: number) => {
    const end = performance.now() + timeoutMs;
    while (!condition()) {
      if (performance.now() > end) throw new Error(`${what}: not in ${timeoutMs} ms, received ${received()}`);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    return received();
  };
  await wait(() => Buffer.concat(chunks).includes(10), 'INFO', 5000);
  return {
    socket,
    received,
    write: (bytes) => void socket.write(bytes),
    until: (condition, timeoutMs = 5000) => wait(() => condition(received()), 'condition', timeoutMs),
    closed: (timeoutMs = 5000) => wait(() => ended, 'end of the connection', timeoutMs),
  };
}
