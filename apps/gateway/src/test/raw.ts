import { connect } from 'node:net';

/**
 * Writes bytes to a port and returns what comes back until the other side closes, until `done` returns true, or until
 * `timeoutMs` have passed.
 */
export function exchange(
  address: string,
  bytes: string | Buffer,
  options: { timeoutMs?: number; done?: (text: string) => boolean } = {},
): Promise<string> {
  const { port, hostname } = new URL(address);
  return new Promise((resolve) => {
    const socket = connect({ port: Number(port), host: hostname });
    let text = '';
    const finish = (): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(text);
    };
    const timer = setTimeout(finish, options.timeoutMs ?? 5_000);
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      if (options.done?.(text) === true) finish();
    });
    socket.on('error', finish);
    socket.on('close', finish);
    socket.write(bytes);
  });
}

/** The first answer in a text as status and JSON body. */
export function parseAnswer(text: string): { status: number; headers: string; body: unknown } {
  const end = text.indexOf('\r\n\r\n');
  const headers = text.slice(0, end);
  const length = Number(/content-length: (\d+)/i.exec(headers)?.[1] ?? '0');
  const body = text.slice(end + 4, end + 4 + length);
  return { status: Number(text.slice(9, 12)), headers, body: body === '' ? undefined : JSON.parse(body) };
}

/** Whether a text holds one whole answer. */
export function isWhole(text: string): boolean {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return false;
  const length = Number(/content-length: (\d+)/i.exec(text.slice(0, end))?.[1] ?? '0');
  return text.length >= end + 4 + length;
}
