import { afterEach, describe, expect, it } from '@jest/globals';
import { beginTakeover } from '../dev/begin-takeover.js';
import { createHost } from '../processes/host-apps.js';
import { isOrder } from '../processes/orders.js';
import type { Child } from '../supervisor/child.js';
import { serveControl, type Control } from '../supervisor/control.js';
import { keptOutput } from '../test/fake-children.js';
import { waitFor } from '../test/wait-for.js';
import { createDevTakeovers, type DevTakeovers } from './dev-takeovers.js';

const controls: Control[] = [];
afterEach(async () => {
  await Promise.all(controls.splice(0).map((control) => control.stop()));
});

/** A host of two services with the interface of a child. */
async function setUp(failing = '') {
  const log: string[] = [];
  const host = createHost((name) => {
    if (name === failing && log.length > 1) return Promise.reject(new Error('no luck'));
    log.push(`${name} started`);
    return Promise.resolve({
      name,
      checks: () => Promise.resolve([{ name: 'nats', ok: true }]),
      stop: () => Promise.resolve(void log.push(`${name} stopped`)),
    });
  });
  await host.startAll(['identity', 'content']);
  const child: Child = {
    name: 'services',
    isReady: () => true,
    adminPort: () => 1,
    pid: () => 1,
    start: () => undefined,
    stop: () => Promise.resolve(),
    send(message) {
      if (isOrder(message)) void host.obey(message).then((answer) => takeovers.onMessage(answer));
      return true;
    },
  };
  const takeovers: DevTakeovers = createDevTakeovers({
    services: ['identity', 'content'],
    isolated: false,
    output: keptOutput(),
    child: () => child,
  });
  const control = await serveControl((service) => takeovers.begin(service));
  controls.push(control);
  const run = {
    pid: process.pid,
    version: '0.1.0',
    endpoint: 'http://127.0.0.1:1',
    adminPorts: {},
    environment: {},
    control: { port: control.port, secret: control.secret },
  };
  return { log, host, takeovers, run };
}

describe('a dev takeover', () => {
  it('stops only its service, and starts it again at its end', async () => {
    const { log, host, run, takeovers } = await setUp();
    const takeover = await beginTakeover(run, 'identity');
    expect(log).toEqual(['identity started', 'content started', 'identity stopped']);
    expect(takeovers.isTakenOver('identity')).toBe(true);
    expect(await host.app.checks()).toEqual([{ name: 'content nats', ok: true }]);
    takeover.end();
    await waitFor('it to be back', () => log.length === 4);
    expect(log[3]).toBe('identity started');
    expect(takeovers.isTakenOver('identity')).toBe(false);
    await takeover.installationEnded;
  });

  it('is refused while there is another one of that service', async () => {
    const { run } = await setUp();
    await beginTakeover(run, 'identity');
    await expect(beginTakeover(run, 'identity')).rejects.toThrow('identity is being developed by another process');
  });

  it('is refused for an unknown service and for a wrong secret', async () => {
    const { run, log } = await setUp();
    await expect(beginTakeover(run, 'sites')).rejects.toThrow(
      'there is no service sites here; there are identity, content',
    );
    await expect(beginTakeover({ ...run, control: { ...run.control, secret: 'x' } }, 'identity')).rejects.toThrow(
      'wrong secret',
    );
    expect(log).toHaveLength(2);
  });

  it('is told when the installation stops, and nothing is started again then', async () => {
    const { run, takeovers, log } = await setUp();
    const takeover = await beginTakeover(run, 'identity');
    takeovers.close();
    await Promise.all(controls.splice(0).map((control) => control.stop()));
    await takeover.installationEnded;
    expect(log).toEqual(['identity started', 'content started', 'identity stopped']);
  });

  it('reports that nothing is running when the installation has stopped', async () => {
    const { run } = await setUp();
    await Promise.all(controls.splice(0).map((control) => control.stop()));
    await expect(beginTakeover(run, 'identity')).rejects.toThrow(/^the running installation cannot be reached: /);
  });

  it('reports an error when the services cannot be started again', async () => {
    const { host } = await setUp('identity');
    expect(await host.obey({ order: 'release', service: 'identity' })).toEqual({
      done: 'release',
      service: 'identity',
    });
    expect(await host.obey({ order: 'resume', service: 'identity' })).toMatchObject({ error: 'Error: no luck' });
    await host.app.stop();
  });
});
