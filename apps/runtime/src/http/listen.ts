import type { Server } from 'node:http';
import type { ListenOptions } from 'node:net';

export async function listen(server: Server, where: ListenOptions): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(where, () => {
      server.removeListener('error', reject);
      resolve();
    });
  });
}

/** Ends the server with its connections. */
export async function close(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  await closed;
}
