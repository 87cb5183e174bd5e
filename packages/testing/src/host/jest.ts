import { execFileSync, fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { hostVariable } from '../host-protocol.js';

const hosts: ChildProcess[] = [];

/**
 * Of Jest's `globalSetup`: starts the host of rigs of a workspace, `dist/test/rig-host.js`. The host starts its servers
 * and services when the first spec asks for a rig. It runs what was built, so a workspace whose sources are newer is
 * built first.
 */
export async function startHost(_: unknown, { rootDir }: { rootDir: string }): Promise<void> {
  const script = join(rootDir, 'dist/test/rig-host.js');
  if (isOlderThanSources(script, join(rootDir, 'src')))
    execFileSync('npm', ['run', '--silent', 'transpile'], { cwd: rootDir, stdio: 'inherit' });
  const host = fork(script, { cwd: rootDir, stdio: 'inherit' });
  hosts.push(host);
  const [url] = (await Promise.race([
    once(host, 'message'),
    once(host, 'exit').then(() => Promise.reject(new Error(`${script} ended before it was ready`))),
  ])) as [string];
  process.env[hostVariable] = url;
}

/** Of Jest's `globalTeardown`: ends the hosts and all that they have started. */
export async function stopHosts(): Promise<void> {
  for (const host of hosts.splice(0)) {
    const exit = once(host, 'exit');
    if (host.connected) host.disconnect();
    const timer = setTimeout(() => host.kill('SIGKILL'), 15_000);
    await exit;
    clearTimeout(timer);
  }
}

function isOlderThanSources(script: string, sources: string): boolean {
  if (!existsSync(script)) return true;
  const built = statSync(script).mtimeMs;
  return readdirSync(sources, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
    .some((file) => statSync(join(sources, file)).mtimeMs > built);
}
