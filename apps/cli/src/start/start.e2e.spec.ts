import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import { sized } from '@scriptorium/toolchain/proof';
import { trackedCommands, type Running } from '../test/command.js';
import { tempFolders } from '../test/temp-folder.js';
import { waitFor } from '../test/wait-for.js';

jest.setTimeout(300_000);

const folder = tempFolders();
const data = join(folder(), 'data folder');
const commands = trackedCommands();

const begin = (environment: Record<string, string> = {}, ...args: string[]) =>
  commands.run(['start', ...args], { DATA_DIR: data, PORT: '0', ...environment });

/**
 * Starts at a fixed port and waits for the first 200 of `/readyz`. Other answers and refused connections mean that it
 * is not ready.
 */
async function beginUntilReady(...args: string[]): Promise<{ running: Running; address: string }> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  const running = begin({ PORT: String(port) }, ...args);
  const address = `http://127.0.0.1:${port}`;
  await readyAt(address);
  return { running, address };
}

const readyAt = (address: string) =>
  waitFor(
    '/readyz to be 200',
    async () => {
      const answer = await fetch(`${address}/readyz`).catch(() => undefined);
      await answer?.text();
      return answer?.status === 200;
    },
    120_000,
  );

/** Runs the line of the banner in a shell, as it was printed. */
function giveToShell(banner: string): Record<string, unknown> {
  const line = banner.split('\n').find((each) => each.trim().startsWith('curl ')) ?? '';
  return JSON.parse(execFileSync('/bin/sh', ['-c', line], { encoding: 'utf8' })) as Record<string, unknown>;
}

const firstRun = () =>
  JSON.parse(readFileSync(join(data, 'first-run.json'), 'utf8')) as Record<string, unknown> & { token: string };
const mode = (name: string) => statSync(join(data, name)).mode & 0o777;

function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
}

async function user(running: Running): Promise<number> {
  return userAt(running.address());
}

async function userAt(address: string): Promise<number> {
  const response = await fetch(`${address}/v1/user`, {
    headers: { authorization: `Bearer ${firstRun().token}` },
  }).catch(() => undefined);
  await response?.text();
  return response?.status ?? 0;
}

const sitesAddress = (running: Running) => /Sites +(http:\S+)/.exec(running.stdout())?.[1] ?? 'none';

describe('scriptorium start', () => {
  let first: Running;
  let token: string;

  it('starts the whole product on an empty folder, and all of it is running when /readyz is 200', async () => {
    const { running, address } = await beginUntilReady();
    first = running;
    expect(await userAt(address)).toBe(200);
    await first.ready();
    token = firstRun().token;
    expect(giveToShell(first.stdout())).toMatchObject({ object: 'user', email: 'admin@example.com' });
    expect(firstRun()).toEqual({
      endpoint: first.address(),
      token: expect.stringMatching(/^scr_pat_/),
      user: { id: expect.any(String), email: 'admin@example.com' },
      organization: { id: expect.any(String), title: 'My organization' },
    });
  });

  it('keeps private files readable by their owner only, and the token out of every line', () => {
    expect(mode('.')).toBe(0o700);
    for (const name of ['format.json', 'secret-keys', 'server-passwords', 'first-run.json', 'run.json'])
      expect([name, mode(name)]).toEqual([name, 0o600]);
    const said = first.stdout() + first.stderr();
    expect(said).not.toContain(token);
    const keys = readFileSync(join(data, 'secret-keys'), 'utf8').trim();
    for (const key of keys.split(',')) expect(said).not.toContain(key.split(':')[1]);
  });

  it('logs JSON when the output is not a terminal, and gives each process a port for operators', async () => {
    for (const line of first.stderr().trim().split('\n')) expect(() => JSON.parse(line) as unknown).not.toThrow();
    for (const [, port] of first.stdout().matchAll(/http:\/\/127\.0\.0\.1:(\d+)\/metrics/g)) {
      expect((await fetch(`http://127.0.0.1:${port}/livez`)).status).toBe(200);
      expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200);
    }
  });

  it('refuses a second owner of the folder with one line that names the first', async () => {
    const second = begin();
    expect(await second.ended()).toBe(1);
    expect(second.stderr()).toBe(
      `scriptorium: ${data} is in use by process ${first.pid}; stop that one or set DATA_DIR to another folder\n`,
    );
    expect(await user(first)).toBe(200);
  });

  it('is not ready between the end of a process and its next start', async () => {
    const pid = first.pidOf('services');
    process.kill(pid, 'SIGKILL');
    await waitFor('the process to end', () => isGone(pid));
    await readyAt(first.address());
    expect(await user(first)).toBe(200);
  });

  it.each(sized(['servers'], ['servers', 'services', 'gateway']))(
    'restarts the %s after it was killed',
    async (name) => {
      const pid = first.pidOf(name);
      process.kill(pid, 'SIGKILL');
      await waitFor(`${name} to be back`, () => first.pidOf(name) !== pid, 120_000);
      await waitFor('an answer', async () => (await user(first)) === 200, 120_000);
    },
  );

  it('refuses a second bootstrap', async () => {
    const { environment } = JSON.parse(readFileSync(join(data, 'run.json'), 'utf8')) as {
      environment: Record<string, string>;
    };
    const second = commands.run(['bootstrap'], { NATS_URL: environment['NATS_URL'] ?? '' });
    expect(await second.ended()).toBe(1);
    expect(second.stdout()).toBe('');
    expect(second.stderr().trim().split('\n').at(-1)).toBe(
      'scriptorium: this installation has its first user; no token was made',
    );
  });

  it('lets a developer run a service while the others keep running, and starts it again afterwards', async () => {
    const developer = commands.run(['dev', 'identity'], { DATA_DIR: data });
    await waitFor(
      'the copy built from the sources',
      () => developer.stderr().includes('INFO (identity): ready'),
      90_000,
    );
    expect(await user(first)).toBe(200);
    developer.signal('SIGINT');
    expect(await developer.ended()).toBe(0);
    await waitFor('the own copy', () => first.stderr().includes('identity runs in the installation again'));
    await waitFor('an answer', async () => (await user(first)) === 200, 120_000);
  });

  it('cannot start development mode when nothing is running', async () => {
    const developer = commands.run(['dev', 'identity'], { DATA_DIR: folder() });
    expect(await developer.ended()).toBe(1);
    expect(developer.stderr()).toMatch(/^scriptorium: no installation runs on [^\n]+; begin with: npm start\n$/);
  });

  it('ends on Ctrl-C and leaves no process running', async () => {
    first.signal('SIGINT');
    expect(await first.ended()).toBe(0);
    for (const name of ['servers', 'services', 'gateway'])
      expect([name, isGone(first.pidOf(name))]).toEqual([name, true]);
  });

  it('finds all data and keeps token and address of sites at the next start with one process for each service', async () => {
    const { running: second, address } = await beginUntilReady('--isolated');
    expect(await userAt(address)).toBe(200);
    await second.ready();
    expect(firstRun().token).toBe(token);
    expect(sitesAddress(second)).toBe(sitesAddress(first));
    expect(giveToShell(second.stdout())).toMatchObject({ email: 'admin@example.com' });
    expect(second.pidOf('identity')).toBeGreaterThan(0);
    // The supervisor is killed while everything runs. Its children end by themselves, and the next start continues with
    // their data.
    const pids = ['servers', 'identity', 'gateway'].map((name) => second.pidOf(name));
    second.signal('SIGKILL');
    await second.ended();
    const { running: third, address: thirdAddress } = await beginUntilReady('identity');
    expect(await userAt(thirdAddress)).toBe(200);
    await third.ready();
    await waitFor('the orphans to end', () => pids.every(isGone));
    third.signal('SIGTERM');
    expect(await third.ended()).toBe(0);
  });
});

describe('a start with invalid settings', () => {
  const refused = async (environment: Record<string, string>, ...args: string[]) => {
    const dataFolder = join(folder(), 'data');
    const running = begin({ DATA_DIR: dataFolder, ...environment }, ...args);
    return { code: await running.ended(), said: running.stderr(), touched: existsSync(dataFolder) };
  };

  it.each([
    ['PORT', 'eighty'],
    ['STOP_TIMEOUT_MS', 'soon'],
    ['MAX_CONNECTIONS', '0'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector'],
    ['SECRET_KEYS', 'no keys'],
    ['SECRET_KEYS', `k1:${Buffer.alloc(32).toString('base64')}`],
  ])('ends with one line that names the setting, whichever process reads it: %s', async (name, value) => {
    const { code, said, touched } = await refused({ [name]: value });
    expect({ code, touched }).toEqual({ code: 78, touched: false });
    expect(said).toMatch(new RegExp(`^scriptorium: ${name}: [^\\n]+\\n$`));
    expect(said).not.toContain('no keys');
  });

  it('ends with one line for an unknown service', async () => {
    const { code, said } = await refused({}, 'nowhere');
    expect(code).toBe(1);
    expect(said).toMatch(/^scriptorium: there is no service nowhere; installed: [^\n]+\n$/);
  });

  it('ends with one line for a port that is in use, set or chosen by the first start', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    const kept = folder();
    writeFileSync(join(kept, 'ports.json'), `{"CONTENT_PORT":${port}}`);
    expect(await refused({ DATA_DIR: kept, PORT: '28431' })).toMatchObject({
      code: 1,
      said: `scriptorium: CONTENT_PORT: ${port} on 127.0.0.1, which the first start chose, is in use by another program; end that one, or set CONTENT_PORT\n`,
    });
    expect(await refused({ PORT: String(port) })).toMatchObject({
      code: 1,
      said: `scriptorium: PORT: ${port} on 127.0.0.1 is in use by another program\n`,
    });
    other.close();
  });
});
