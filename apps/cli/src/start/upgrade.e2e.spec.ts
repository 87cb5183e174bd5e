import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { runCommand, type Running } from '../test/command.js';
import { readRecorded, unpackRecordedFolder, type RecordedAnswer } from '../test/recorded-data.js';
import { tempFolders } from '../test/temp-folder.js';

jest.setTimeout(300_000);

/**
 * Answers that intentionally differ from the recorded ones, by `<caller> <path>`, as they are expected now. Added
 * fields need no entry.
 */
const differences = new Map<string, Pick<RecordedAnswer, 'status' | 'body'>>();

/** The public address in the recorded answers. */
const publicUrl = 'http://docs.example';

const folder = tempFolders();
const dataFolder = join(folder(), 'data');
const { world, answers } = readRecorded();
const { organizations, teams, tokens, users } = world;
const started: Running[] = [];

function begin(): Running {
  const running = runCommand(['start'], {
    DATA_DIR: dataFolder,
    PORT: '0',
    PUBLIC_URL: publicUrl,
    RATE_LIMIT_ANONYMOUS: '0',
  });
  started.push(running);
  return running;
}

interface Answer {
  status: number;
  body: unknown;
  headers: Headers;
}

async function ask(caller: string, method: string, path: string, body?: object): Promise<Answer> {
  const token = tokens[caller];
  const response = await fetch(`${started.at(-1)?.address()}/v1${path}`, {
    method,
    headers: {
      origin: publicUrl,
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') === true;
  return { status: response.status, body: isJson ? (JSON.parse(text) as unknown) : text, headers: response.headers };
}

/** The end of a feed. It depends on the log, which every start of the product may extend. */
const endOfFeed = /^\d+$/;

/**
 * Replaces `*` by any text, the end of a feed by any number, and what an error says to people by any
 * text, at all depths.
 */
function anyText(recorded: unknown): unknown {
  if (recorded === '*') return expect.any(String);
  if (Array.isArray(recorded)) return recorded.map(anyText);
  if (typeof recorded !== 'object' || recorded === null) return recorded;
  const end = isEndOfFeed(recorded) ? { next: { page: expect.stringMatching(endOfFeed) as unknown } } : {};
  const said = 'reason' in recorded && 'message' in recorded ? { message: expect.any(String) as unknown } : {};
  const parts = Object.entries(recorded).map(([name, value]) => [name, anyText(value)]);
  return { ...(Object.fromEntries(parts) as object), ...end, ...said };
}

const isEndOfFeed = (page: object): page is { next: { page: string } } =>
  'more' in page && page.more === false && 'next' in page;

let mails: string[] = [];
beforeAll(async () => {
  unpackRecordedFolder(dataFolder);
  mails = readdirSync(join(dataFolder, 'outbox')).sort();
  await begin().ready();
});
afterAll(async () => {
  for (const running of started) await running.kill();
});

describe('the product on a data folder of an earlier version', () => {
  it.each(answers.map((answer) => [answer.caller, answer.path, answer] as const))(
    'answers %s as before: GET %s',
    async (caller, path, recorded) => {
      const { status, body } = differences.get(`${caller} ${path}`) ?? recorded;
      const now = await ask(caller, 'GET', path);
      expect({ status: now.status, body: now.body }).toMatchObject({ status, body: anyText(body) });
    },
  );

  it('shows no new changes to clients that have read a feed to its end', async () => {
    const path = `/orgs/${organizations.first}/changes?limit=1000`;
    const recorded = answers.find((answer) => answer.caller === 'admin' && answer.path === path)?.body as object;
    if (!isEndOfFeed(recorded)) throw new Error('the recorded answer is not the end of the feed');
    const now = await ask('admin', 'GET', `${path}&after=${recorded.next.page}`);
    expect(now).toMatchObject({ status: 200, body: { items: [], more: false } });
  });

  it('accepts writes to existing objects', async () => {
    const org = `/orgs/${organizations.first}`;
    const results = [
      await ask('ada', 'PATCH', org, { title: 'Renamed after the upgrade' }),
      await ask('admin', 'PUT', `${org}/teams/${teams.writers}/members/${users.build}`, { role: 'member' }),
      await ask('admin', 'PATCH', `${org}/members/${users.cleo}`, { role: 'review' }),
      await ask('admin', 'PUT', `${org}/agent-instructions?format=markdown`, { instructions: { markdown: 'Short.' } }),
      await ask('cleo', 'POST', '/user/tokens', { label: 'Made after the upgrade' }),
    ];
    expect(results.map(({ status }) => status)).toEqual([200, 204, 200, 200, 201]);
    expect((await ask('ada', 'GET', org)).body).toMatchObject({ title: 'Renamed after the upgrade' });
    expect((await ask('admin', 'GET', `${org}/members/${users.cleo}`)).body).toMatchObject({ role: 'review' });
  });

  it('creates new objects beside them, and keeps reserved names reserved', async () => {
    const person = { email: 'new@example.org', displayName: 'New person' };
    expect((await ask('admin', 'POST', '/users', person)).status).toBe(201);
    expect((await ask('cleo', 'POST', '/orgs', { title: 'Third organization' })).status).toBe(201);
    const hostname = await ask('cleo', 'PATCH', `/orgs/${organizations.second}`, { hostname: 'orchard' });
    expect(hostname.status).toBe(409);
  });

  it('signs people in with their existing passwords', async () => {
    const signedIn = await ask('nobody', 'POST', '/auth/login', {
      email: 'cleo@example.org',
      password: world.password,
    });
    expect(signedIn).toMatchObject({ status: 200, body: { object: 'session', user: { id: users.cleo } } });
    const wrong = await ask('nobody', 'POST', '/auth/login', { email: 'cleo@example.org', password: 'another one' });
    expect(wrong.status).toBe(401);
  });

  it('has every projection and reactor running', async () => {
    const { status, body } = await ask('admin', 'GET', '/operator/identity/consumers?limit=1000');
    expect(status).toBe(200);
    const { items } = body as { items: { kind: string; state?: string; problem?: object; trouble?: string }[] };
    expect(items.filter(({ kind, state }) => kind === 'projection' && state !== 'live')).toEqual([]);
    expect(items.filter(({ problem, trouble }) => problem !== undefined || trouble !== undefined)).toEqual([]);
    const parked = await ask('admin', 'GET', '/operator/identity/parked-events');
    expect(parked.body).toMatchObject({ items: [] });
  });

  it('starts again with all data', async () => {
    const [first] = started;
    first?.signal('SIGTERM');
    expect(await first?.ended()).toBe(0);
    await begin().ready();
    expect((await ask('ada', 'GET', `/orgs/${organizations.first}`)).body).toMatchObject({
      title: 'Renamed after the upgrade',
    });
  });

  it('sends no mail a second time', () => {
    expect(readdirSync(join(dataFolder, 'outbox')).sort()).toEqual(mails);
  });
});
