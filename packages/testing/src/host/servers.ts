import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { ServerUrls } from '../host-protocol.js';

/** The servers that all rigs of a run share. */
export interface RunningServers {
  urls: ServerUrls;
  stop(): Promise<unknown>;
}

/** Starts them in a process of their own. @throws when they cannot start */
export async function startServersProcess(): Promise<RunningServers> {
  const child = fork(fileURLToPath(new URL('./servers-process.js', import.meta.url)), { stdio: 'inherit' });
  const exit = once(child, 'exit');
  const urls = await Promise.race([
    once(child, 'message').then(([urls]) => urls as ServerUrls),
    exit.then(([code]) => Promise.reject(new Error(`The servers ended with ${String(code)}`))),
  ]);
  return {
    urls,
    stop() {
      if (child.connected) child.disconnect();
      return exit;
    },
  };
}
