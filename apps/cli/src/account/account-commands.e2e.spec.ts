import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import { ended as commandEnded, trackedCommands } from '../test/command.js';
import { tempFolders } from '../test/temp-folder.js';

jest.setTimeout(300_000);

const work = tempFolders()();
const settings = { DATA_DIR: join(work, 'data'), PORT: '0', CONTENT_PORT: '0' };
const commands = trackedCommands();
const run = (...args: string[]) => commands.run(args, settings);
/** Runs a command to its end. */
const ended = (...args: string[]) => commandEnded(run(...args));

describe('scriptorium whoami and token', () => {
  it('show the person, and create, list and revoke tokens', async () => {
    const running = run('start');
    await running.ready();
    const who = await ended('whoami');
    expect([who.code, who.stdout]).toEqual([0, expect.stringContaining('email: admin@example.com\n')]);
    const made = await ended('token', 'create', 'CI', '--expires', '90d', '--scopes', 'user:read');
    const token = made.stdout.trim();
    expect([made.code, made.stderr, token]).toEqual([0, '', expect.stringMatching(/^scr_pat_\w+$/)]);

    const elsewhere = join(work, 'none');
    const own = commands.run(['whoami', '--json', '--url', running.address(), '--token', token], {
      DATA_DIR: elsewhere,
    });
    const answer = await commandEnded(own);
    expect(JSON.parse(answer.stdout)).toMatchObject({ email: 'admin@example.com', installation: running.address() });
    const fromVariables = await commandEnded(
      commands.run(['whoami'], { DATA_DIR: elsewhere, SCRIPTORIUM_URL: running.address(), SCRIPTORIUM_TOKEN: token }),
    );
    expect(fromVariables.stdout).toBe(who.stdout);

    const list = (await ended('token', 'list', '--json')).stdout.trim().split('\n');
    const tokens = list.map((line) => JSON.parse(line) as { id: string; label: string });
    const id = tokens.find(({ label }) => label === 'CI')?.id ?? '';
    expect([tokens.length, list.join('').includes(token)]).toEqual([2, false]);
    expect((await ended('token', 'list')).stdout).toContain(`\tuser:read\tCI\n`);
    expect(await ended('token', 'revoke', id)).toMatchObject({ code: 0, stdout: `Revoked ${id}\n` });
    const refused = await ended('whoami', '--token', token);
    expect([refused.code, refused.stderr.includes(token)]).toEqual([1, false]);
    for (const wrong of [
      ['token', 'create', 'CI', '--expires', 'soon'],
      ['token', 'create', 'CI', '--expires', '0d'],
      ['token', 'create', 'CI', '--expires', '2020-01-01'],
      ['token', 'create', 'CI', '--scopes', 'all'],
      ['token', 'create', ''],
    ])
      expect((await ended(...wrong)).code).toBe(1);
  });
});
