import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import { ended as commandEnded, trackedCommands } from '../test/command.js';
import { tempFolders } from '../test/temp-folder.js';
import { waitFor } from '../test/wait-for.js';

jest.setTimeout(300_000);

const work = tempFolders()();
const settings = { DATA_DIR: join(work, 'data'), PORT: '0', CONTENT_PORT: '0' };
const commands = trackedCommands();
const run = (...args: string[]) => commands.run(args, settings);
/** Runs a command to its end. */
const ended = (...args: string[]) => commandEnded(run(...args));

describe('scriptorium whoami, token and api', () => {
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
    const exported = (await ended('audit', 'export')).stdout.trim().split('\n');
    const events = exported.map((line) => JSON.parse(line) as { action: string; cursor: string });
    expect(events[0]?.action).toBe('organization_created');
    const rest = await ended('audit', 'export', '--since', events[0]?.cursor ?? '');
    expect([rest.code, rest.stdout.trim().split('\n')]).toEqual([0, exported.slice(1)]);
    expect((await ended('audit', 'export', '--since', 'yesterday')).code).toBe(1);
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

  it('let somebody who has lost every token sign in by a link, and create another one', async () => {
    const [first] = commands.started;
    const address = first?.address() ?? '';
    expect(await ended('outbox')).toMatchObject({ code: 1, stderr: expect.stringContaining('there is no mail in') });
    const post = (path: string, body: object, cookie = '') =>
      fetch(`${address}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: address, cookie },
        body: JSON.stringify(body),
      });
    expect((await post('/v1/auth/email-link', { email: 'admin@example.com' })).status).toBe(200);
    let printed = '';
    await waitFor('the mail', async () => {
      printed = (await ended('outbox', '--to', 'Admin@example.com')).stdout;
      return printed !== '';
    });
    const link = /\/sign-in\/link\?link=(\S+)/.exec(printed)?.[1];
    const signedIn = await post('/v1/auth/login', { link });
    const [cookie] = signedIn.headers.getSetCookie().map((text) => text.split(';')[0]);
    const made = await post('/v1/user/tokens', { label: 'recovered' }, cookie);
    const { token } = (await made.json()) as { token: string };
    expect([made.status, (await ended('whoami', '--token', token)).code]).toEqual([201, 0]);
    expect((await ended('outbox', '--to', 'bob@example.com')).stderr).toContain('no mail to bob@example.com');
  });

  it('api calls any operation, and says what is wrong before or behind the call', async () => {
    const called = await ended('api', 'post', '/v1/orgs', '--data', '{"title":"Called"}', '--pick', 'urls.location');
    expect(called).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/^http\S+\/v1\/orgs\/\w+\n$/) });
    const path = new URL(called.stdout).pathname;
    expect(JSON.parse((await ended('api', 'GET', path)).stdout)).toMatchObject({ title: 'Called' });
    expect(await ended('api', 'DELETE', path)).toMatchObject({ code: 0 });
    for (const [said, ...wrong] of [
      ['is no method', 'api', 'FETCH', '/user'],
      ['must begin with /', 'api', 'GET', 'user'],
      ['--data is not JSON', 'api', 'POST', '/orgs', '--data', '{'],
      ['there is no file none.json', 'api', 'POST', '/orgs', '--data', '@none.json'],
      ['the answer has no nothing.at.all', 'api', 'GET', '/user', '--pick', 'nothing.at.all'],
      ['did you mean `title`?', 'api', 'POST', '/orgs', '--data', '{"titel":"Acme"}'],
    ] as const)
      expect(await ended(...wrong)).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining(said) });
  });
});
