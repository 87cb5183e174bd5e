import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { isAlive, startMark } from '@scriptorium/embedded/live-process';
import { readStartSettings } from '../settings.js';
import { tempFolders } from '../test/temp-folder.js';
import { waitFor } from '../test/wait-for.js';
import { openDataFolder } from './data-folder.js';
import { claimFolder } from './format.js';
import { keepPorts, portsInUse, readKeptPorts } from './kept-ports.js';
import { readRunFile, removeRunFile, writeRunFile } from './run-file.js';
import { secretKeys } from './secret-keys.js';
import { serverPasswords } from './server-passwords.js';

const folder = tempFolders();
const other = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)'], { stdio: 'ignore' });
const otherPid = other.pid ?? 0;
afterAll(() => void other.kill('SIGKILL'));

function withFormat(content: unknown): string {
  const path = folder();
  writeFileSync(join(path, 'format.json'), typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

const format = (path: string) => JSON.parse(readFileSync(join(path, 'format.json'), 'utf8')) as Record<string, unknown>;
const mode = (path: string) => statSync(path).mode & 0o777;

describe('claimFolder', () => {
  it('records format, version and owner, and removes the owner after an orderly end', async () => {
    const path = folder();
    const claim = await claimFolder(path, '1.2.3');
    expect(format(path)).toMatchObject({ format: 1, version: '1.2.3', pid: process.pid });
    expect(claim.unclean).toBe(false);
    await claim.release();
    expect(format(path)).toEqual({ format: 1, version: '1.2.3' });
    expect((await claimFolder(path, '1.2.3')).unclean).toBe(false);
    expect(readdirSync(path)).toEqual(['format.json']);
  });

  it('refuses a second owner and names the first', async () => {
    const path = withFormat({ format: 1, version: '0.1.0', pid: otherPid, pidStart: startMark(otherPid) });
    await expect(claimFolder(path, '0.1.0')).rejects.toThrow(`${path} is in use by process ${otherPid}`);
    expect(format(path)['pid']).toBe(otherPid);
  });

  it('succeeds for one of many concurrent owners', async () => {
    const path = withFormat({ format: 1, version: '0.1.0', pid: 2 ** 22 + 1 });
    const claims = await Promise.allSettled(Array.from({ length: 12 }, () => claimFolder(path, '0.1.0')));
    expect(claims.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(readdirSync(path)).toEqual(['format.json']);
  });

  it.each([
    ['is dead', () => ({ pid: 2 ** 22 + 1 })],
    ['had the number of another process', () => ({ pid: otherPid, pidStart: 'earlier boot/1' })],
    ['had the number of this process', () => ({ pid: process.pid, pidStart: 'earlier boot/1' })],
    ['had the number of this process, without a mark', () => ({ pid: process.pid })],
  ])('replaces an owner that %s', async (_what, owner) => {
    const path = withFormat({ format: 1, version: '0.0.9', ...owner() });
    const claim = await claimFolder(path, '0.1.0');
    expect(claim.unclean).toBe(true);
    expect(format(path)).toMatchObject({ version: '0.1.0', pid: process.pid });
  });

  it('replaces an owner that was killed and that nobody waits for', async () => {
    const parent = spawn('sh', ['-c', 'sleep 1000 & echo $!; exec sleep 1000'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [line] = (await once(parent.stdout, 'data')) as [Buffer];
    const pid = Number(line.toString());
    const path = withFormat({ format: 1, version: '0.1.0', pid, pidStart: startMark(pid) });
    await expect(claimFolder(path, '0.1.0')).rejects.toThrow(`${path} is in use by process ${pid}`);
    process.kill(pid, 'SIGKILL');
    await waitFor('the end of the process', () => !isAlive(pid, undefined));
    expect((await claimFolder(path, '0.1.0')).unclean).toBe(true);
    parent.kill('SIGKILL');
  });

  it('refuses a newer format, whoever owns the folder', async () => {
    const path = withFormat({ format: 2, version: '3.0.0' });
    await expect(claimFolder(path, '0.1.0')).rejects.toThrow(
      `${path} was written by version 3.0.0 in format 2; this version knows format 1`,
    );
    expect(format(path)).toEqual({ format: 2, version: '3.0.0' });
  });

  it('refuses a damaged file and says what to do', async () => {
    await expect(claimFolder(withFormat('{"for'), '0.1.0')).rejects.toThrow(/format\.json is damaged; put/);
  });
});

describe('openDataFolder', () => {
  it('creates a folder that only its owner can open', async () => {
    const path = join(folder(), 'a', 'data');
    const opened = await openDataFolder(path, '0.1.0');
    expect(mode(path)).toBe(0o700);
    expect(opened.firstRun).toBe(join(path, 'first-run.json'));
    expect(mode(join(path, 'format.json'))).toBe(0o600);
  });

  it('restricts an existing folder to its owner', async () => {
    const path = join(folder(), 'data');
    mkdirSync(path, { mode: 0o755 });
    await openDataFolder(path, '0.1.0');
    expect(mode(path)).toBe(0o700);
  });

  it('names the variable when the folder cannot be created', async () => {
    const file = join(folder(), 'file');
    writeFileSync(file, '');
    await expect(openDataFolder(join(file, 'data'), '0.1.0')).rejects.toThrow(/^DATA_DIR: ENOTDIR/);
  });
});

describe('secretKeys', () => {
  it('creates two keys of 32 bytes once, readable by the owner only', async () => {
    const path = join(folder(), 'secret-keys');
    const made = await secretKeys(path);
    expect(made).toMatch(/^k1:[A-Za-z0-9+/]{43}=,reservation:[A-Za-z0-9+/]{43}=$/);
    expect(mode(path)).toBe(0o600);
    expect(await secretKeys(path)).toBe(made);
    expect(await secretKeys(join(folder(), 'secret-keys'))).not.toBe(made);
  });

  it('names the file when it contains no keyring', async () => {
    const path = join(folder(), 'secret-keys');
    writeFileSync(path, 'k1:cut');
    await expect(secretKeys(path)).rejects.toThrow(`${path} is damaged`);
    expect(readFileSync(path, 'utf8')).toBe('k1:cut');
  });
});

describe('serverPasswords', () => {
  it('creates a password of 32 bytes for each server once, readable by the owner only', async () => {
    const path = join(folder(), 'server-passwords');
    const made = await serverPasswords(path);
    expect(Object.keys(made)).toEqual(['eventstore', 'mongodb', 'nats']);
    for (const password of Object.values(made)) expect(password).toMatch(/^[\w-]{43}$/);
    expect(new Set(Object.values(made)).size).toBe(3);
    expect(mode(path)).toBe(0o600);
    expect(await serverPasswords(path)).toEqual(made);
  });

  it.each([
    'eventstore:short',
    'cut',
    `eventstore:${'a'.repeat(40)},mongodb:${'b'.repeat(40)},nats:a@b:c/d${'e'.repeat(40)}`,
  ])('names the file, and no password, when it has other content: %s', async (text) => {
    const path = join(folder(), 'server-passwords');
    writeFileSync(path, text);
    await expect(serverPasswords(path)).rejects.toThrow(
      `${path} is damaged; remove it, and the next start makes new passwords`,
    );
    expect(readFileSync(path, 'utf8')).toBe(text);
  });
});

describe('the run file', () => {
  const run = {
    version: '0.1.0',
    endpoint: 'http://127.0.0.1:1',
    control: { port: 1, secret: 's' },
    adminPorts: {},
    environment: { A: 'b' },
  };

  it('is found while its process is alive', async () => {
    const path = join(folder(), 'run.json');
    await writeRunFile(path, run);
    expect(mode(path)).toBe(0o600);
    expect(await readRunFile(path)).toMatchObject({ ...run, pid: process.pid });
    await removeRunFile(path);
    expect(await readRunFile(path)).toBeUndefined();
  });

  it('is ignored when its process is gone', async () => {
    const path = join(folder(), 'run.json');
    writeFileSync(path, JSON.stringify({ ...run, pid: otherPid, pidStart: 'earlier boot/1' }));
    expect(await readRunFile(path)).toBeUndefined();
  });
});

describe('the kept ports', () => {
  const settings = (environment: NodeJS.ProcessEnv = {}) => readStartSettings(environment);
  const chosen = { CONTENT_PORT: 8081, INTEGRATIONS_PORT: 8082 };

  it('are those that the first start chose, and a later one chooses no others', async () => {
    const path = join(folder(), 'ports.json');
    expect(await readKeptPorts(path)).toEqual({});
    await keepPorts(path, { settings: settings(), kept: {}, chosen });
    const kept = await readKeptPorts(path);
    expect([kept, mode(path)]).toEqual([chosen, 0o600]);
    expect(portsInUse(settings({ PORT: '9000' }), kept)).toEqual(chosen);
  });

  it('are not those of a setting, of a start at any free port, or set for something else by now', async () => {
    expect(portsInUse(settings({ CONTENT_PORT: '9001' }), chosen)).toEqual({ INTEGRATIONS_PORT: 8082 });
    expect(portsInUse(settings({ PORT: '8081' }), chosen)).toEqual({ INTEGRATIONS_PORT: 8082 });
    expect(portsInUse(settings({ PORT: '0' }), chosen)).toEqual({});
    const path = join(folder(), 'ports.json');
    await keepPorts(path, { settings: settings({ PORT: '0' }), kept: {}, chosen });
    expect(await readKeptPorts(path)).toEqual({});
    await keepPorts(path, { settings: settings({ CONTENT_PORT: '9001' }), kept: {}, chosen });
    expect(await readKeptPorts(path)).toEqual({ INTEGRATIONS_PORT: 8082 });
  });

  it('are refused when the file is damaged', async () => {
    const path = join(folder(), 'ports.json');
    writeFileSync(path, '{"CONTENT_PORT":"x"}');
    await expect(readKeptPorts(path)).rejects.toThrow(`${path} is damaged`);
  });
});
