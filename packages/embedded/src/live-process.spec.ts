import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { lockFolder } from './folder-lock.js';
import { isAlive, startMark } from './live-process.js';
import { type Zombie, makeZombie } from './test/zombie.js';

const other = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)'], { stdio: 'ignore' });
const pid = other.pid ?? 0;
const folder = mkdtempSync(join(tmpdir(), 'lock-'));
afterAll(() => {
  other.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

const noSuchPid = 2 ** 22 + 1;
const hasProc = existsSync('/proc/self/stat');

describe('a process that left its id and mark', () => {
  it('is alive while it runs, also when it left no mark', () => {
    expect(isAlive(pid, startMark(pid))).toBe(true);
    expect(isAlive(pid, undefined)).toBe(true);
    expect(isAlive(process.pid, startMark(process.pid))).toBe(true);
  });

  it('is alive by the mark of the first versions, which had no id of the boot', () => {
    for (const one of [pid, process.pid]) expect(isAlive(one, startMark(one)?.split('/')[1])).toBe(true);
  });

  it('is not alive when there is no such process, or another one has its id', () => {
    expect(isAlive(noSuchPid, undefined)).toBe(false);
    expect(isAlive(process.pid, 'earlier/1')).toBe(false);
    expect(isAlive(process.pid, '1')).toBe(false);
    expect(isAlive(process.pid, undefined)).toBe(false);
    expect(hasProc && isAlive(pid, 'earlier/1')).toBe(false);
  });
});

(hasProc ? describe : describe.skip)('a process that was killed and that nobody waits for', () => {
  let zombie: Zombie;
  beforeAll(async () => {
    zombie = await makeZombie(startMark);
  });
  afterAll(() => {
    zombie.remove();
  });

  it('still has its id and its mark, and is not alive', () => {
    expect(() => process.kill(zombie.pid, 0)).not.toThrow();
    expect(startMark(zombie.pid)).toBe(zombie.mark);
    expect(isAlive(zombie.pid, zombie.mark)).toBe(false);
    expect(isAlive(zombie.pid, undefined)).toBe(false);
  });

  it.each(['owner.lock', 'server.pid'] as const)('does not keep its data folder locked by %s', (name) => {
    writeFileSync(join(folder, name), JSON.stringify({ pid: zombie.pid, started: zombie.mark }));
    const unlock = lockFolder(folder, name);
    expect(JSON.parse(readFileSync(join(folder, name), 'utf8'))).toEqual({
      pid: process.pid,
      started: startMark(process.pid),
    });
    expect(() => lockFolder(folder, name)).toThrow(`in use by process ${String(process.pid)}`);
    unlock();
    expect(readdirSync(folder)).toEqual([]);
  });
});
