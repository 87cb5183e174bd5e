import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { jsonText } from '../installation/private-file.js';
import { tempFolders } from '../test/temp-folder.js';
import { banner, quote } from './banner.js';

const folder = tempFolders();
const token = `scr_pat_AbCd1234_${'x'.repeat(46)}`;
const content = {
  endpoint: 'http://127.0.0.1:8080',
  token,
  user: { id: 'u1', email: 'admin@example.com' },
  organization: { id: 'o1', title: 'A "token": \\ of $(thanks) `x`' },
};
const admin = [
  { name: 'servers', address: '127.0.0.1:20001' },
  { name: 'gateway', address: '127.0.0.1:20002' },
];

const common = {
  version: '0.1.0',
  url: 'http://127.0.0.1:8080',
  signIn: 'http://127.0.0.1:8080/sign-in',
  isMailKept: true,
  admin,
};

/** The arguments of `curl` when a shell runs the line of the banner. */
function argumentsOfCurl(text: string): string[] {
  const bin = folder();
  writeFileSync(join(bin, 'curl'), '#!/bin/sh\nprintf "%s\\n" "$@"\n');
  chmodSync(join(bin, 'curl'), 0o755);
  const line = text.split('\n').find((each) => each.trim().startsWith('curl ')) ?? '';
  const printed = execFileSync('/bin/sh', ['-c', line], {
    env: { PATH: `${bin}:${process.env['PATH']}` },
    encoding: 'utf8',
  });
  return printed.trimEnd().split('\n');
}

describe('the banner', () => {
  it.each(['plain', 'with space', "o'clock", 'a"b$HOME`id`\\'])(
    'contains a curl command that works for a folder named %s',
    (name) => {
      const path = join(folder(), name, 'first-run.json');
      mkdirSync(join(path, '..'));
      writeFileSync(path, jsonText(content));
      const text = banner({ ...common, firstRun: { path, content } });
      expect(argumentsOfCurl(text)).toEqual([
        '-sS',
        '-H',
        `Authorization: Bearer ${token}`,
        'http://127.0.0.1:8080/v1/user',
      ]);
    },
  );

  it('names all addresses and files, and never the token', () => {
    const text = banner({ ...common, firstRun: { path: '/data/first-run.json', content } });
    expect(text).toContain('Scriptorium 0.1.0 is ready');
    expect(text).toContain('http://127.0.0.1:8080/v1');
    expect(text).toContain('http://127.0.0.1:8080/reference');
    expect(text).toContain('/data/first-run.json');
    expect(text).toContain('servers http://127.0.0.1:20001/metrics');
    expect(text).toContain('gateway http://127.0.0.1:20002/metrics');
    expect(text).not.toContain(token);
  });

  it('says how the first user signs in, and where the link is without a mail server', () => {
    const firstRun = { path: '/data/first-run.json', content };
    const way = /Sign in +(.*)/;
    const sent = 'http://127.0.0.1:8080/sign-in as admin@example.com, with an e-mailed link';
    expect(way.exec(banner({ ...common, firstRun }))?.[1]).toBe(`${sent}; npx scriptorium outbox prints it`);
    expect(way.exec(banner({ ...common, isMailKept: false, firstRun }))?.[1]).toBe(sent);
    expect(way.exec(banner({ ...common, firstRun: undefined }))?.[1]).toBe('http://127.0.0.1:8080/sign-in');
  });

  it('contains a command to try also when the token is stored elsewhere', () => {
    const text = banner({ ...common, firstRun: undefined });
    expect(text).toContain('made elsewhere');
    expect(argumentsOfCurl(text)).toEqual(['-sS', 'http://127.0.0.1:8080/v1/']);
  });
});

describe('quote', () => {
  it('turns any text into one shell word', () => {
    const word = 'a b\'c"d$e`f\\g\nh';
    expect(execFileSync('/bin/sh', ['-c', `printf %s ${quote(word)}`], { encoding: 'utf8' })).toBe(word);
  });
});
