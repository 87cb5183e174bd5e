import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect, it } from '@jest/globals';
import { connect } from '@nats-io/transport-node';

it('runs alone, says where it listens and stops on a signal', async () => {
  const bin = new URL('../../dist/nats/bin.js', import.meta.url).pathname;
  const child = spawn(process.execPath, [bin, '--port', '0'], {
    env: { ...process.env, SERVER_USER: 'app', SERVER_PASSWORD: 'of this spec' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const [url] = (await once(createInterface(child.stdout), 'line')) as [string];
    expect(url).toMatch(/^nats:\/\/app:of%20this%20spec@127\.0\.0\.1:\d+$/);
    const nc = await connect({ servers: url.replace(/.*@/, ''), user: 'app', pass: 'of this spec', reconnect: false });
    await nc.flush();
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
    await nc.closed();
  } finally {
    child.kill('SIGKILL');
  }
});
