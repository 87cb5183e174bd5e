import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { fakeChildren, keptOutput } from '../test/fake-children.js';
import { tempFolders } from '../test/temp-folder.js';
import { waitFor } from '../test/wait-for.js';
import { createSupervisor, type Plan, type Supervisor } from './supervisor.js';
import type { Timings } from './timings.js';

const folder = tempFolders();
jest.setTimeout(300_000);

const quick: Timings = { backoff: [5, 10, 20, 40], readyWithin: 60_000, steady: 50 };

const running: Supervisor[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((supervisor) => supervisor.stop(1_000)));
});

function setUp(environments: Record<string, Record<string, string>> = {}, timings: Timings = quick) {
  const fakes = fakeChildren(folder());
  const output = keptOutput();
  const spec = (name: string) => fakes.spec(name, environments[name]);
  const plan: Plan = { servers: spec('servers'), services: [spec('identity')], gateway: spec('gateway') };
  const supervisor = createSupervisor(plan, {
    output,
    timings,
    failure: (message, why) => new Error(`${why}: ${message}`),
  });
  running.push(supervisor);
  const child = (name: string) => supervisor.children.find((each) => each.name === name);
  const ready = () => waitFor('all to be ready', () => supervisor.children.every((each) => each.isReady()));
  return { fakes, output, supervisor, child, ready };
}

describe('the supervisor', () => {
  it('starts the servers first, and all others once they are ready', async () => {
    const { supervisor, fakes, ready } = setUp();
    supervisor.start();
    await ready();
    expect(fakes.journal()[0]).toMatch(/^servers started/);
    expect(fakes.journal().filter((line) => line.includes('started'))).toHaveLength(3);
  });

  it('starts services and gateway at once when there are no embedded servers', async () => {
    const fakes = fakeChildren(folder());
    const plan = { services: [fakes.spec('identity')], gateway: fakes.spec('gateway') };
    const supervisor = createSupervisor(plan, {
      output: keptOutput(),
      timings: quick,
      failure: (message) => new Error(message),
    });
    running.push(supervisor);
    supervisor.start();
    await waitFor('both', () => supervisor.children.every((each) => each.isReady()));
  });

  it('restarts a killed child and leaves the others alone', async () => {
    const { supervisor, fakes, child, ready, output } = setUp();
    supervisor.start();
    await ready();
    process.kill(child('servers')?.pid() ?? 0, 'SIGKILL');
    await waitFor('the second start', () => fakes.count('servers started') === 2 && child('servers')?.isReady());
    expect(child('servers')?.adminPort()).toBe(4002);
    expect(fakes.count('identity started')).toBe(1);
    expect(output.lines.some((line) => line.includes('servers ended (SIGKILL); starting it again in 5 ms'))).toBe(true);
  });

  it('keeps trying a child that starts at the fifth attempt', async () => {
    const { supervisor, fakes, ready } = setUp({ identity: { STARTS_OK: '5' } });
    supervisor.start();
    await ready();
    expect(fakes.count('identity started')).toBe(5);
  });

  it('gives up a child that fails to start five times, and reports its last output', async () => {
    const { supervisor, fakes } = setUp({ identity: { STARTS_OK: '99' } });
    supervisor.start();
    await expect(supervisor.failed).rejects.toThrow(
      'attempts: identity could not be started (5 attempts): no luck at start 5',
    );
    expect(fakes.count('identity started')).toBe(5);
  });

  it.each([
    ['setting', '78'],
    ['defect', '70'],
  ])('does not restart a child that ended because of a %s', async (why, code) => {
    const { supervisor, fakes } = setUp({ identity: { STARTS_OK: '99', EXIT_CODE: code } });
    supervisor.start();
    await expect(supervisor.failed).rejects.toThrow(`${why}: no luck at start 1`);
    expect(fakes.count('identity started')).toBe(1);
  });

  it('runs one process when a child is stopped and started at once', async () => {
    const { supervisor, fakes, child, ready } = setUp();
    supervisor.start();
    await ready();
    for (let round = 0; round < 5; round += 1) {
      await child('identity')?.stop(60_000);
      child('identity')?.start();
      await ready();
    }
    expect(fakes.count('identity started')).toBe(6);
    expect(fakes.count('identity ended')).toBe(5);
  });

  it('kills a child that does not become ready, and counts that as a failed start', async () => {
    const fakes = fakeChildren(folder());
    const path = join(folder(), 'silent.mjs');
    writeFileSync(path, 'setInterval(() => undefined, 1000);');
    const silent = { name: 'silent', script: path, environment: () => process.env };
    const timings = { backoff: [1], readyWithin: 200, steady: 50 };
    const supervisor = createSupervisor(
      { services: [], gateway: silent },
      { output: keptOutput(), timings, failure: (message) => new Error(message) },
    );
    running.push(supervisor);
    supervisor.start();
    await expect(supervisor.failed).rejects.toThrow('silent could not be started (2 attempts): not ready after 0.2 s');
    expect(fakes.journal()).toEqual([]);
  });

  it('stops the gateway first, then services, then servers', async () => {
    const { supervisor, fakes, ready } = setUp();
    supervisor.start();
    await ready();
    await supervisor.stop(60_000);
    const ends = fakes.journal().filter((line) => line.includes('ended'));
    expect(ends).toEqual(['gateway ended by SIGTERM', 'identity ended by SIGTERM', 'servers ended by SIGTERM']);
  });

  it('kills a child that does not stop in time, and gives the others their full time', async () => {
    const { supervisor, fakes, ready } = setUp({ gateway: { STUBBORN: '1' } });
    supervisor.start();
    await ready();
    // The gateway never ends by itself. The others have a fifth of the time each after their share.
    await supervisor.stop(10_000);
    const ends = fakes.journal().filter((line) => line.includes('ended'));
    expect(ends).toEqual(['identity ended by SIGTERM', 'servers ended by SIGTERM']);
  });

  it('starts nothing more while it stops', async () => {
    const { supervisor, fakes } = setUp({ servers: { STARTS_OK: '3' } });
    supervisor.start();
    await waitFor('the first start', () => fakes.count('servers started') >= 1);
    await supervisor.stop(1_000);
    const starts = fakes.count('servers started');
    // Longer than all pauses before a restart.
    await waitFor('another start', () => fakes.count('servers started') > starts, 150).catch(() => undefined);
    expect(fakes.count('servers started')).toBe(starts);
    expect(fakes.count('identity started')).toBe(0);
  });

  it('stops its children when it is killed', async () => {
    const fakes = fakeChildren(folder());
    const { script, environment } = fakes.spec('orphan');
    const dist = pathToFileURL(join(process.cwd(), 'dist/supervisor/child.js')).href;
    const owner = `
      import { createChild } from '${dist}';
      const output = { readable: true, child() {}, info() {}, warn() {} };
      const spec = { name: 'orphan', script: ${JSON.stringify(script)}, environment: () => (${JSON.stringify(environment())}) };
      createChild(spec, { output, timings: { backoff: [1], readyWithin: 9000, steady: 1 }, onGivenUp() {} }).start();
      setInterval(() => undefined, 1000);`;
    const supervisor = spawn(process.execPath, ['--input-type=module', '-e', owner], { stdio: 'inherit' });
    await waitFor('the child', () => fakes.count('orphan ready') === 1);
    supervisor.kill('SIGKILL');
    await once(supervisor, 'close');
    await waitFor('its end', () => fakes.count('orphan ended by disconnect') === 1);
  });
});
