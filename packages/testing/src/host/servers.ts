import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Servers } from '../servers.js';

/** What the process of the servers says when they run. */
export type ServersMessage = Pick<Servers, 'urls' | 'isShared'>;

/** The servers that all rigs of a run share. */
export interface RunningServers extends ServersMessage {
  stop(): Promise<unknown>;
}

/** Starts them in a process of their own. @throws when they cannot start */
export async function startServersProcess(): Promise<RunningServers> {
  const child = fork(fileURLToPath(new URL('./servers-process.js', import.meta.url)), { stdio: 'inherit' });
  const exit = once(child, 'exit');
  const servers = await Promise.race([
    once(child, 'message').then(([message]) => message as ServersMessage),
    exit.then(([code]) => Promise.reject(new Error(`The servers ended with ${String(code)}`))),
  ]);
  return {
    ...servers,
    stop() {
      if (child.connected) child.disconnect();
      return exit;
    },
  };
}
