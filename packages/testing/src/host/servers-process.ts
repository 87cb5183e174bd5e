import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServers } from '../servers.js';
import type { ServersMessage } from './servers.js';

// The three servers that the rigs of a run share, in a process of their own. It ends when the host of rigs disconnects.
const folder = await mkdtemp(join(tmpdir(), 'rig-servers-'));
const servers = await startServers(folder);
const end = async (): Promise<void> => {
  await servers.stop();
  await rm(folder, { recursive: true, force: true });
};
process.once('disconnect', () => {
  void end().finally(() => process.exit());
});
const message: ServersMessage = { urls: servers.urls, isShared: servers.isShared };
process.send?.(message);
