import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { parseKeyring, type Logger } from '@scriptorium/platform';
import { linkLetter, type Letter } from './letters.js';
import { mailHandler, sendMail } from './mail.timer.js';
import { createPostOffice } from './post.office.js';

const letter: Letter = linkLetter('ann@example.org', { url: 'https://docs.example/sign-in/link?link=secretword', purpose: 'sign-in', minutes: 15 });
const keys = parseKeyring(['k1', 'reservation'].map((id) => `${id}:${Buffer.alloc(32, id).toString('base64')}`).join(','));
const wanted = () => Promise.resolve(true);
const logged: string[] = [];
const note = (fields: unknown, message?: string) => void logged.push(`${JSON.stringify(fields, Object.getOwnPropertyNames(Error.prototype).concat(['err', 'message', 'mail', 'tries']))} ${message ?? ''}`);
const logger = { info: note, warn: note, error: note } as unknown as Logger;

/** As much of a mail server as a letter needs. `recipient`: its answer to the address. */
async function mailServer(recipient: string | null): Promise<{ server: Server; url: string; received: string[]; connections: () => number }> {
  const received: string[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => undefined);
    if (recipient === null) {
      socket.destroy();
      return;
    }
    let data: string | null = null;
    socket.write('220 mail.test\r\n');
    socket.on('data', (bytes) => {
      for (const line of bytes.toString().split('\r\n').filter((text) => text !== '')) {
        if (data === null) {
          if (/^DATA/i.test(line)) data = '';
          socket.write(/^DATA/i.test(line) ? '354 go on\r\n' : /^RCPT/i.test(line) ? `${recipient}\r\n` : '250 ok\r\n');
        } else if (line === '.') {
          received.push(data);
          data = null;
          socket.write('250 taken\r\n');
        } else data += `${line}\n`;
      }
    });
  });
  server.on('close', () => sockets.forEach((socket) => socket.destroy()));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, received, url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`, connections: () => connections };
}

describe('a post office', () => {
  let server: Server | undefined;
  afterEach(() => new Promise<void>((resolve) => (server === undefined ? resolve() : server.close(() => resolve()))));
  const office = (smtpUrl: string) => createPostOffice({ mail: { smtpUrl, from: 'Docs <no-reply@docs.example>', outbox: '' }, logger, now: Date.now, keys });

  it('gives letters to the mail server', async () => {
    const mail = await mailServer('250 ok');
    server = mail.server;
    await office(mail.url).post('one', letter, wanted);
    expect(mail.received[0]).toMatch(/From: Docs <no-reply@docs\.example>[^]*To: ann@example\.org[^]*Subject: Your sign-in link[^]*Message-ID: <one@docs\.example>/);
    expect(mail.received[0]).toContain('link=secretword');
  });

  it('says that a letter was refused, and repeats nothing of it', async () => {
    const mail = await mailServer('550 no ann@example.org here');
    server = mail.server;
    const refused = office(mail.url).post('one', letter, wanted);
    await expect(refused).rejects.toMatchObject({ reason: 'unavailable', message: 'The mail server did not take a letter (550)' });
  });

  it('does not try every letter on a server that does not answer', async () => {
    const mail = await mailServer(null);
    server = mail.server;
    const one = office(mail.url);
    for (const id of ['one', 'two', 'three']) await expect(one.post(id, letter, wanted)).rejects.toMatchObject({ reason: 'unavailable' });
    expect(mail.connections()).toBe(1);
  });

  it('hands over nothing that is not wanted any more when the mail server takes it', async () => {
    const mail = await mailServer('250 ok');
    server = mail.server;
    const one = office(mail.url);
    await one.post('one', letter, async () => Promise.resolve(mail.connections() === 0));
    expect([mail.connections(), mail.received]).toEqual([1, []]);
    await one.post('two', letter, wanted);
    expect(mail.received).toHaveLength(1);
  });

  it('hands over nothing while nobody can tell whether it is wanted, which is no fault of the mail server', async () => {
    const mail = await mailServer('250 ok');
    server = mail.server;
    const one = office(mail.url);
    const away = new Error('the database is away');
    await expect(one.post('one', letter, () => Promise.reject(away))).rejects.toBe(away);
    expect(mail.received).toEqual([]);
    await one.post('two', letter, wanted);
    expect(mail.received).toHaveLength(1);
  });
});

describe('an outbox', () => {
  let outbox: string;
  beforeEach(async () => void (outbox = await mkdtemp(join(tmpdir(), 'outbox-'))));
  afterEach(() => rm(outbox, { recursive: true }));

  it.each([[[true, true], 1], [[false], 0], [[true, false], 0]])('keeps letters that are wanted before and after they are written: %j', async (answers, kept) => {
    const looks = [...answers];
    const office = createPostOffice({ mail: { smtpUrl: undefined, from: 'no-reply@docs.example', outbox }, logger, now: Date.now, keys });
    await office.post('one', letter, () => Promise.resolve(looks.shift() === true));
    expect([await readdir(outbox), looks]).toEqual([Array(kept).fill(expect.stringContaining('-one-')), []]);
  });
});

describe('a letter about an invitation', () => {
  it('that is revoked while somebody writes it is wanted no more', async () => {
    let status = 'pending';
    const terms = () => ({ status, email: 'ann@example.org', organization: 'o' });
    const store = { load: () => Promise.resolve(terms()), collection: () => ({ byId: () => Promise.resolve({ title: 'Docs' }) }) };
    const wantedThen: boolean[] = [];
    const post = async (_id: string, _letter: Letter, isWanted: () => Promise<boolean>): Promise<void> => {
      wantedThen.push(await isWanted());
      status = 'revoked';
      wantedThen.push(await isWanted());
    };
    const handle = mailHandler({ now: Date.now, logger, store, urls: { api: 'https://docs.example/v1' } } as never, { post });
    await handle({ id: 'mail:invite-i', data: { errand: { about: 'invite', invite: 'i' }, tries: 0 } } as never, {} as never);
    expect(wantedThen).toEqual([true, false]);
  });
});

describe('a letter that is not taken', () => {
  it('is tried again with growing pauses, and given up after two days, with no word of it in the log', async () => {
    const person = { status: 'active', kind: 'person', email: 'ann@example.org' };
    const context = { now: () => 1_000, logger, store: { load: () => Promise.resolve(person) }, urls: { api: 'https://docs.example/v1' } };
    const handle = mailHandler(context as never, { post: () => Promise.reject(new Error('away')) });
    const pauses: number[] = [];
    let data: unknown = { errand: { about: 'password', user: 'ann' }, tries: 0 };
    for (let more = true; more; ) {
      more = false;
      const schedule = (timer: { at: number; command: string; data: unknown }) => {
        expect(timer.command).toBe(sendMail);
        pauses.push((timer.at - 1_000) / 1_000);
        data = timer.data;
        more = true;
        return Promise.resolve();
      };
      await handle({ id: 'mail:1', data } as never, { schedule } as never);
    }
    expect(pauses).toEqual([5, 30, 120, 600, 3_600, 14_400, 43_200, 86_400]);
    expect(logged.at(-1)).toContain('a mail was given up');
    expect(logged.join()).not.toMatch(/example\.org|secretword/);
  });
});
