import { cpSync, existsSync, readFileSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { startEventStoreServer, type EventStoreServer } from '@scriptorium/embedded/eventstore';
import { startMongoServer, type MongoServer } from '@scriptorium/embedded/mongodb';
import { firstEventId } from '@scriptorium/event-sourcing';
import { inFull } from '@scriptorium/toolchain/proof';
import { trackedCommands, type Running } from '../test/command.js';
import { tempFolders } from '../test/temp-folder.js';
import { waitFor } from '../test/wait-for.js';
import { writeManifest } from './manifest.js';

jest.setTimeout(300_000);

const folder = tempFolders();
const root = folder();
const data = join(root, 'data');
const restored = join(root, 'restored');
const copy = join(root, 'copy');
const commands = trackedCommands();

const run = (dataDir: string, ...args: string[]) => commands.run(args, { DATA_DIR: dataDir, PORT: '0' });

async function outcome(dataDir: string, ...args: string[]): Promise<{ code: number | null; out: string; err: string }> {
  return outcomeOf(run(dataDir, ...args));
}

async function outcomeOf(running: Running): Promise<{ code: number | null; out: string; err: string }> {
  const code = await running.ended();
  return { code, out: running.stdout(), err: running.stderr() };
}

interface First {
  readonly token: string;
  readonly organization: { readonly id: string };
}

const first = () => JSON.parse(readFileSync(join(data, 'first-run.json'), 'utf8')) as First;
const teams = (address: string) => `${address}/v1/orgs/${first().organization.id}/teams`;
const headers = () => ({ authorization: `Bearer ${first().token}`, 'content-type': 'application/json' });

async function createTeam(address: string, title: string): Promise<string> {
  const response = await fetch(teams(address), { method: 'PUT', headers: headers(), body: JSON.stringify({ title }) });
  const body = (await response.json()) as { id?: string };
  if (!response.ok || body.id === undefined) throw new Error(`${response.status} ${JSON.stringify(body)}`);
  return body.id;
}

interface File {
  readonly size: number;
  readonly downloadURL: string;
}

/** Creates a space with a file; the address of its files. */
async function createFile(address: string, text: string): Promise<string> {
  const post = async (path: string, body: object) => {
    const sent = { method: 'POST', headers: headers(), body: JSON.stringify(body) };
    return (await (await fetch(`${address}/v1${path}`, sent)).json()) as { id: string };
  };
  const { id } = await post(`/orgs/${first().organization.id}/spaces`, { editMode: 'live' });
  const file = { name: 'a.txt', base64: Buffer.from(text).toString('base64'), contentType: 'text/plain' };
  await post(`/spaces/${id}/content`, { changes: [{ operation: 'insert_files', files: [file] }] });
  return `/v1/spaces/${id}/content/files`;
}

async function textOfFile(address: string, path: string): Promise<string> {
  const { items } = (await (await fetch(`${address}${path}`, { headers: headers() })).json()) as { items: File[] };
  return (await fetch(items[0]?.downloadURL ?? '')).text();
}

/** A position of the changes of the organization, from which a client goes on. */
async function cursorOf(address: string): Promise<string> {
  const { next } = (await (await changesAfter(address, 'now')).json()) as { next: { page: string } };
  return next.page;
}

const changesAfter = (address: string, cursor: string) =>
  fetch(`${address}/v1/orgs/${first().organization.id}/changes?after=${cursor}`, { headers: headers() });

/** The mails that an installation has written. */
const mailsOf = (dataDir: string) =>
  existsSync(join(dataDir, 'outbox'))
    ? readdirSync(join(dataDir, 'outbox')).filter((name) => name.endsWith('.eml'))
    : [];

async function invite(address: string, email: string): Promise<void> {
  const body = JSON.stringify({ emails: [email] });
  const sent = { method: 'POST', headers: headers(), body };
  const { ok } = await fetch(`${address}/v1/orgs/${first().organization.id}/invites`, sent);
  expect(ok).toBe(true);
}

/** Flips one byte in the middle of a file. */
function damage(file: string, at = Math.floor(statSync(file).size / 2)): void {
  const bytes = readFileSync(file);
  bytes.writeUInt8((bytes[at] ?? 0) ^ 0xff, at);
  writeFileSync(file, bytes);
}

let before: [id: string, title: string][] = [];
let files = '';
/** A cursor from before the move. */
let held = '';

async function expectTeams(address: string): Promise<void> {
  for (const [id, title] of before) {
    const response = await fetch(`${teams(address)}/${id}`, { headers: headers() });
    expect(await response.json()).toMatchObject({ id, title });
  }
}

describe('a backup of a running installation', () => {
  const acknowledged = new Map<string, string>();

  it('can be made while clients write, and only its owner can read it', async () => {
    const product = run(data, 'start');
    await product.ready();
    files = await createFile(product.address(), 'The text of a file');
    expect(await textOfFile(product.address(), files)).toBe('The text of a file');
    let writing = true;
    const writers = Array.from({ length: 6 }, async (_, writer) => {
      for (let n = 0; writing; n += 1) {
        const title = `Team ${writer} ${n}`;
        acknowledged.set(await createTeam(product.address(), title), title);
      }
    });
    await waitFor('some teams', () => acknowledged.size >= 60, 60_000);
    before = [...acknowledged];
    const made = await outcome(data, 'backup', copy);
    expect(made).toMatchObject({ code: 0, err: '' });
    expect(made.out).toMatch(/^\S+: \d+ files, \d+ bytes, events up to position \d+\n$/);
    const meanwhile = acknowledged.size;
    await waitFor('more teams', () => acknowledged.size >= meanwhile + 12, 60_000);
    writing = false;
    await Promise.all(writers);
    expect(acknowledged.size).toBeGreaterThan(before.length);
    expect(readdirSync(copy).sort()).toEqual([
      'eventstore',
      'files',
      'first-run.json',
      'format.json',
      'manifest.json',
      'mongodb',
      'secret-keys',
      'server-passwords',
    ]);
    for (const name of ['.', 'secret-keys', 'server-passwords', 'first-run.json', 'eventstore', 'mongodb', 'files'])
      expect([name, statSync(join(copy, name)).mode & 0o077]).toEqual([name, 0]);
    const said = product.stdout() + product.stderr() + made.out;
    expect(said).not.toContain(
      (JSON.parse(readFileSync(join(data, 'servers.json'), 'utf8')) as { secret: string }).secret,
    );
  });

  it('is refused without the secret, and into a folder that is not empty', async () => {
    const { port } = JSON.parse(readFileSync(join(data, 'servers.json'), 'utf8')) as { port: number };
    const other = join(root, 'other');
    const refused = await fetch(`http://127.0.0.1:${port}/backup`, {
      method: 'POST',
      body: other,
      headers: { authorization: 'Bearer x' },
    });
    expect(refused.status).toBe(401);
    expect(existsSync(other)).toBe(false);
    expect(await outcome(data, 'backup', copy)).toEqual({
      code: 1,
      out: '',
      err: `scriptorium: ${copy} is not empty; name a new folder\n`,
    });
    const inside = join(data, 'backups', 'today');
    expect(await outcome(data, 'backup', inside)).toEqual({
      code: 1,
      out: '',
      err: `scriptorium: ${inside} is inside the data folder; name a folder outside it\n`,
    });
    symlinkSync(data, join(root, 'way-in'));
    expect(await outcome(data, 'backup', join(root, 'way-in', 'backups'))).toMatchObject({ code: 1, out: '' });
    expect(existsSync(join(data, 'backups'))).toBe(false);
  });

  it('removes deleted data from its files on request', async () => {
    const scavenged = await outcome(data, 'scavenge');
    expect(scavenged).toMatchObject({ code: 0, err: '' });
    expect(scavenged.out).toMatch(/: \d+ events removed, \d+ bytes freed\n$/);
  });

  it('cannot be verified by a process that does not own the folder', async () => {
    const { pid } = JSON.parse(readFileSync(join(data, 'format.json'), 'utf8')) as { pid: number };
    const checked = await outcome(data, 'verify');
    expect(checked).toEqual({
      code: 1,
      out: '',
      err: `scriptorium: ${data} is in use by process ${pid}; stop that one or set DATA_DIR to another folder\n`,
    });
    const moved = await outcome(data, 'move', '--to', 'esdb://127.0.0.1:9?tls=false', 'mongodb://127.0.0.1:9');
    expect(moved).toEqual(checked);
    const sound = await outcome(data, 'verify', copy);
    expect(sound).toMatchObject({ code: 0, err: '' });
    expect(sound.out).toMatch(
      /eventstore: sound \(.*records.*\)\nmongodb: sound \(.*documents.*\)\nfiles: sound \(1 files, 18 bytes\)\n$/s,
    );
  });

  it('restores every acknowledged write into an empty folder, and rebuilds are equal', async () => {
    const [product] = commands.started;
    product?.signal('SIGTERM');
    await product?.ended();
    const refused = await outcome(data, 'restore', copy);
    expect(refused).toEqual({
      code: 1,
      out: '',
      err: `scriptorium: ${data} is not empty; move it away or set DATA_DIR to another folder\n`,
    });
    expect(await outcome(restored, 'restore', copy)).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringMatching(`; begin with: DATA_DIR='${restored}' npm start\n$`),
    });
    const again = run(restored, 'start');
    await again.ready();
    await expectTeams(again.address());
    expect(await textOfFile(again.address(), files)).toBe('The text of a file');
    const rebuilt = await outcome(restored, 'rebuild', 'identity');
    expect(rebuilt).toMatchObject({ code: 0, err: '' });
    expect(rebuilt.out).toContain('team_v3: equal');
    await createTeam(again.address(), 'Written after the restore');
    await invite(again.address(), 'invited@example.com');
    await waitFor('the mail', () => mailsOf(restored).length === 1);
    held = await cursorOf(again.address());
    again.signal('SIGTERM');
    await again.ended();
  });

  (inFull ? it : it.skip)(
    'is restored to the state of its log when its documents are newer, and accepts writes',
    async () => {
      const product = run(data, 'start');
      await product.ready();
      const kept = await createTeam(product.address(), 'Before the log');
      const [older, newer, mixed] = [join(root, 'older'), join(root, 'newer'), join(root, 'mixed')];
      expect(await outcome(data, 'backup', older)).toMatchObject({ code: 0 });
      const lost = await createTeam(product.address(), 'Behind the log');
      await fetch(`${teams(product.address())}/${kept}`, {
        method: 'PATCH',
        headers: headers(),
        body: JSON.stringify({ title: 'Renamed behind the log' }),
      });
      expect(await outcome(data, 'backup', newer)).toMatchObject({ code: 0 });
      product.signal('SIGTERM');
      await product.ended();
      cpSync(newer, mixed, { recursive: true });
      rmSync(join(mixed, 'eventstore'), { recursive: true });
      cpSync(join(older, 'eventstore'), join(mixed, 'eventstore'), { recursive: true });
      rmSync(join(mixed, 'manifest.json'));
      await writeManifest(mixed, { version: '0.1.0' });
      const target = join(root, 'of-mixed');
      expect(await outcome(target, 'restore', mixed)).toMatchObject({ code: 0, err: '' });
      const again = run(target, 'start');
      await again.ready();
      const team = (id: string) => fetch(`${teams(again.address())}/${id}`, { headers: headers() });
      expect(await (await team(kept)).json()).toMatchObject({ title: 'Before the log' });
      expect((await team(lost)).status).toBe(404);
      await createTeam(again.address(), 'Written after the restore');
      expect(await outcome(target, 'rebuild', 'identity')).toMatchObject({ code: 0, err: '' });
      again.signal('SIGTERM');
      await again.ended();
    },
  );

  it('is refused when a file was changed or the backup was not finished', async () => {
    const hurt = join(root, 'hurt');
    cpSync(copy, hurt, { recursive: true });
    const [log = ''] = readdirSync(join(hurt, 'eventstore', 'log'));
    damage(join(hurt, 'eventstore', 'log', log));
    const target = join(root, 'never');
    const refused = await outcome(target, 'restore', hurt);
    expect(refused).toMatchObject({ code: 1, out: '' });
    expect(refused.err).toBe(
      `scriptorium: ${join(hurt, 'eventstore', 'log', log)} is not what was backed up: its SHA-256 differs; take another backup\n`,
    );
    expect(existsSync(target)).toBe(false);
    expect((await outcome(target, 'restore', root)).err).toBe(
      `scriptorium: ${root} is no finished backup: there is no manifest.json in it\n`,
    );
  });
});

describe('a move of a stopped installation', () => {
  const back = join(root, 'back');
  let log: EventStoreServer;
  let database: MongoServer;
  beforeAll(async () => void ([log, database] = [await startEventStoreServer(), await startMongoServer()]));
  afterAll(async () => {
    await log.stop();
    await database.stop();
  });
  const elsewhere = `folder:${join(root, 'elsewhere')}`;
  const urls = () => ({ EVENTSTORE_URL: log.url, MONGODB_URL: database.url });
  const ports = { PORT: '0', CONTENT_PORT: '0', INTEGRATIONS_PORT: '0' };

  it('goes on after it was killed, and is refused once it is done', async () => {
    const killed = run(restored, 'move', '--to', log.url, database.url);
    await waitFor('events', async () => (await firstEventId(log.url, 'scriptorium')) !== undefined);
    await killed.kill();
    expect(killed.stdout()).toBe('');
    const moved = await outcome(restored, 'move', '--files', elsewhere, '--to', log.url, database.url);
    expect(moved).toMatchObject({ code: 0, err: '' });
    expect(moved.out).toMatch(
      /^copied and compared: \d+ events of \d+ streams, 0 erased streams, \d+ documents of \d+ collections\nfiles: 1 copied, 0 were there \(18 bytes\)/,
    );
    const again = await outcome(restored, 'move', '--to', log.url, database.url);
    expect(again).toMatchObject({ code: 1, out: '' });
    expect(again.err).toContain('the target holds data of the namespace scriptorium already');
  });

  it('gives servers elsewhere the same answers, and nothing is done twice', async () => {
    const product = commands.run(['start'], { DATA_DIR: restored, FILES_STORE: elsewhere, ...ports, ...urls() });
    await product.ready();
    await expectTeams(product.address());
    expect(await textOfFile(product.address(), files)).toBe('The text of a file');
    const refused = await changesAfter(product.address(), held);
    expect(refused.status).toBe(400);
    expect(await refused.text()).toContain('before the installation was moved');
    expect((await changesAfter(product.address(), await cursorOf(product.address()))).status).toBe(200);
    const running = outcomeOf(commands.run(['move', '--from'], { DATA_DIR: back, ...urls() }));
    expect((await running).err).toContain('runs on the real servers; stop it first');
    const wrong = { DATA_DIR: back, ...urls(), MONGODB_URL: 'mongodb://' };
    expect(await outcomeOf(commands.run(['move', '--from'], wrong))).toMatchObject({
      code: 78,
      err: 'scriptorium: MONGODB_URL: Protocol and host list are required in the uri\n',
    });
    expect(existsSync(back)).toBe(false);
    await invite(product.address(), 'later@example.com');
    await waitFor('the second mail', () => mailsOf(restored).length >= 2);
    before.push([await createTeam(product.address(), 'Elsewhere'), 'Elsewhere']);
    product.signal('SIGTERM');
    await product.ended();
    expect(mailsOf(restored)).toHaveLength(2);
  });

  it('leads back into a data folder', async () => {
    const settings = { DATA_DIR: back, FILES_STORE: elsewhere, ...urls() };
    const moved = await outcomeOf(commands.run(['move', '--from', '--files', 'folder'], settings));
    expect(moved).toMatchObject({ code: 0, err: '', out: expect.stringContaining('files: 1 copied') });
    const SECRET_KEYS = readFileSync(join(restored, 'secret-keys'), 'utf8').trim();
    const product = commands.run(['start', 'identity'], { DATA_DIR: back, ...ports, SECRET_KEYS });
    await product.ready();
    await expectTeams(product.address());
    product.signal('SIGTERM');
    await product.ended();
    expect(mailsOf(back)).toEqual([]);
  });
});

describe('a stopped installation', () => {
  it('can be scavenged, verified and backed up', async () => {
    expect(await outcome(data, 'scavenge')).toMatchObject({ code: 0, err: '' });
    expect(await outcome(data, 'verify')).toMatchObject({ code: 0, err: '' });
    const cold = join(root, 'cold');
    expect(await outcome(data, 'backup', cold)).toMatchObject({ code: 0, err: '' });
    expect((await outcome(data, 'verify', cold)).out).toContain('mongodb: sound');
  });

  it('reports damage with file, offset and what to do', async () => {
    const [log = ''] = readdirSync(join(data, 'eventstore', 'log'));
    const file = join(data, 'eventstore', 'log', log);
    damage(file, 2_000);
    const checked = await outcome(data, 'verify');
    expect(checked.code).toBe(1);
    expect(checked.out).toMatch(
      new RegExp(
        `^${file} at offset \\d+: damaged record; what can be read goes on at offset \\d+; restore this folder from a backup`,
      ),
    );
    expect(checked.err).toBe(`scriptorium: the data in ${data} is damaged\n`);
    const target = join(root, 'none');
    const refused = await outcome(data, 'backup', target);
    expect(refused.code).toBe(1);
    expect(refused.err).toContain(`${log} at offset`);
    expect(readdirSync(target)).toEqual([]);
  });
});
