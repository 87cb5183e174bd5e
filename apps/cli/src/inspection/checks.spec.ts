import { chmodSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { readStartSettings } from '../settings.js';
import { tempFolders } from '../test/temp-folder.js';
import { lineOf } from './check.js';
import { folderChecks, nodeCheck, portsCheck } from './machine-checks.js';
import { keysCheck, settingsCheck } from './settings-checks.js';
import { clockCheck, storeChecks, withoutCredentials } from './store-checks.js';

const folder = tempFolders();
const key = (bytes: Buffer) => bytes.toString('base64');
const strong = key(Buffer.from('f3a91c07d25e8b6440cb7f12e6983ad5be0417c26f8d39a1507ce4b2960f83da', 'hex'));

describe('the check of Node', () => {
  it.each([
    ['20.19.0', true],
    ['24.1.0', true],
    ['20.18.3', false],
    ['18.20.0', false],
  ])('of %s is %s', (version, ok) => expect(nodeCheck(version).ok).toBe(ok));
});

describe('the check of the keys', () => {
  it('accepts a keyring, in the setting or in the file', async () => {
    const text = `k1:${strong},reservation:${strong}`;
    const path = join(folder(), 'secret-keys');
    expect((await keysCheck(undefined, path)).ok).toBe(true);
    writeFileSync(path, `${text}\n`);
    for (const given of [text, undefined]) expect((await keysCheck(given, path)).ok).toBe(true);
  });

  it.each([
    ['that is none', 'abc'],
    ['without the reservation key', `k1:${strong}`],
    ['of zeros, as in examples', `k1:${key(Buffer.alloc(32))},reservation:${strong}`],
    ['of words', `k1:${key(Buffer.from('change-me-change-me-change-me-0123456789'))},reservation:${strong}`],
  ])('refuses a keyring %s, and never shows it', async (_, text) => {
    const check = await keysCheck(text, '/none');
    expect([check.ok, check.advice === undefined]).toEqual([false, false]);
    for (const part of text.split(/[:,]/).filter((one) => one.length > 20)) expect(lineOf(check)).not.toContain(part);
  });
});

describe('the check of the settings', () => {
  it('names the setting that is wrong', async () => {
    const { check, settings } = await settingsCheck({ NAMESPACE: 'Not One' });
    expect([check.ok, settings]).toEqual([false, undefined]);
    expect(lineOf(check)).toMatch(/^FAIL {2}settings {4} {2}NAMESPACE: .*docs\/configuration\.md says\n$/);
    expect((await settingsCheck({})).check.ok).toBe(true);
  });
});

describe('the checks of the data folder', () => {
  it('tell where other users can open it, and how much is free', async () => {
    const path = folder();
    chmodSync(path, 0o755);
    const [open, disk] = await folderChecks(path);
    expect(open).toMatchObject({ ok: false, advice: `chmod 700 ${path}` });
    expect(disk?.detail).toMatch(/^\d+\.\d GiB free/);
    chmodSync(path, 0o700);
    expect((await folderChecks(path))[0]?.ok).toBe(true);
    expect((await folderChecks(join(path, 'not', 'yet'))).map(({ detail }) => detail)[1]).toContain('GiB free');
  });
});

describe('the check of ports', () => {
  it('names one that another program uses', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const port = String((other.address() as AddressInfo).port);
    const settings = readStartSettings({ PORT: port });
    expect(await portsCheck(settings, undefined)).toMatchObject({
      ok: false,
      detail: expect.stringContaining(`PORT ${port} of 127.0.0.1 (EADDRINUSE)`),
    });
    other.close();
    expect((await portsCheck(readStartSettings({ PORT: '0' }), undefined)).ok).toBe(true);
  });
});

describe('the checks of the servers', () => {
  it('name the setting of one that does not answer, and never its password', async () => {
    const urls = { NATS_URL: 'nats://ann:pass%21word@127.0.0.1:1' };
    const checks = await storeChecks(urls, 'none');
    expect(checks.map(({ ok }) => ok)).toEqual([true, true, false]);
    expect(checks[2]?.advice).toContain('NATS_URL');
    expect(JSON.stringify(checks)).not.toMatch(/pass/);
  });

  it('hide credentials in messages', () => {
    expect(withoutCredentials('ann of a%21b (a!b) refused', 'mongodb://ann:a%21b@db:1')).toBe(
      '*** of *** (***) refused',
    );
    expect(withoutCredentials('refused', 'nats://db:4222')).toBe('refused');
    expect(withoutCredentials('refused %', 'nats://ann:%@db:4222')).toBe('refused %');
  });

  it.each([
    [undefined, true],
    [-4_000, true],
    [5_001, false],
    [-60_000, false],
  ])('accept a clock that is %s ms ahead: %s', (aheadMs, ok) => expect(clockCheck('MongoDB', aheadMs).ok).toBe(ok));
});
