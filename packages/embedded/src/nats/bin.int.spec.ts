import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect, it } from '@jest/globals';
import { connect } from '@nats-io/transport-node';

it('runs alone, says where it listens and stops on a signal', async () => {
  const bin = new URL('../../dist/nats/bin.js', import.meta.url).pathname;
  const child = spawn(process.execPath, [bin, '--port', '0', '--auth', 'tok'], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [url] = (await once(createInterface(child.stdout), 'line')) as [string];
    expect(url).toMatch(/^nats:\/\/127\.0\.0\.1:\d+$/);
    const nc = await connect({ servers: url, token: 'tok', reconnect: false });
    await nc.flush();
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
    await nc.closed();
  } finally {
    child.kill('SIGKILL');
  }
});
