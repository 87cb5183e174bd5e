import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { DueTimer, NewTimer, StoreScope } from '@scriptorium/event-sourcing';
import { parseKeyring, type Logger, type Scope } from '@scriptorium/platform';
import { writePasswordMail } from '../authentication/passwords/password.mail.js';
import { writeInvitationMail } from '../organizations/invitations/invitation.mail.js';
import { MailFiles } from './mail-files.store.js';
import { sendMail } from './mail-job.js';
import { mailHandler, type MailWriters } from './mail.timer.js';
import { InvitationPace } from './invitation-pace.process.js';
import { createMailer } from './mailer.transport.js';
import { linkMail, type Mail } from './templates.js';

const message: Mail = linkMail('ann@example.org', {
  url: 'https://docs.example/sign-in/link?link=secretword',
  purpose: 'sign-in',
  minutes: 15,
});
const keys = parseKeyring(
  ['k1', 'reservation'].map((id) => `${id}:${Buffer.alloc(32, id).toString('base64')}`).join(','),
);
const nothing = () => Promise.resolve(null);
const noWriters: MailWriters = {
  link: nothing,
  invite: nothing,
  password: nothing,
  token: nothing,
  notifications: nothing,
};
const wanted = () => Promise.resolve(true);
const logged: string[] = [];
const note = (fields: unknown, message?: string) =>
  void logged.push(
    `${JSON.stringify(fields, Object.getOwnPropertyNames(Error.prototype).concat(['err', 'message', 'mail', 'tries']))} ${message ?? ''}`,
  );
const logger = { info: note, warn: note, error: note } as Logger;

/** A minimal mail server. `recipient`: its answer to the address, or null to close the connection. */
async function mailServer(
  recipient: string | null,
): Promise<{ server: Server; url: string; received: string[]; connections: () => number }> {
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
      for (const line of bytes
        .toString()
        .split('\r\n')
        .filter((text) => text !== '')) {
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
  return {
    server,
    received,
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections: () => connections,
  };
}

describe('the mailer', () => {
  let server: Server | undefined;
  afterEach(() => new Promise<void>((resolve) => (server === undefined ? resolve() : server.close(() => resolve()))));
  const mailer = (smtpUrl: string) =>
    createMailer(
      { logger, now: Date.now },
      { smtpUrl, from: 'Docs <no-reply@docs.example>' },
      new MailFiles({ keys, now: Date.now }, ''),
    );

  it('sends mail through the mail server', async () => {
    const mail = await mailServer('250 ok');
    server = mail.server;
    await mailer(mail.url).send('one', message, wanted);
    expect(mail.received[0]).toMatch(
      /From: Docs <no-reply@docs\.example>[^]*To: ann@example\.org[^]*Subject: Your sign-in link[^]*Message-ID: <one@docs\.example>/,
    );
    expect(mail.received[0]).toContain('link=secretword');
  });

  it('fails when the server refuses a mail, and does not repeat the text of the server', async () => {
    const mail = await mailServer('550 no ann@example.org here');
    server = mail.server;
    const refused = mailer(mail.url).send('one', message, wanted);
    await expect(refused).rejects.toMatchObject({
      reason: 'unavailable',
      message: 'The mail server did not accept a mail (550)',
    });
  });

  it('does not connect again for a while after the server did not answer', async () => {
    const mail = await mailServer(null);
    server = mail.server;
    const one = mailer(mail.url);
    for (const id of ['one', 'two', 'three'])
      await expect(one.send(id, message, wanted)).rejects.toMatchObject({ reason: 'unavailable' });
    expect(mail.connections()).toBe(1);
  });

  it('sends nothing when the mail is no longer wanted by the time the server is ready', async () => {
    const mail = await mailServer('250 ok');
    server = mail.server;
    const one = mailer(mail.url);
    await one.send('one', message, async () => Promise.resolve(mail.connections() === 0));
    expect([mail.connections(), mail.received]).toEqual([1, []]);
    await one.send('two', message, wanted);
    expect(mail.received).toHaveLength(1);
  });

  it('sends nothing while it cannot check whether the mail is wanted, and does not treat that as a failure of the server', async () => {
    const mail = await mailServer('250 ok');
    server = mail.server;
    const one = mailer(mail.url);
    const away = new Error('the database is away');
    await expect(one.send('one', message, () => Promise.reject(away))).rejects.toBe(away);
    expect(mail.received).toEqual([]);
    await one.send('two', message, wanted);
    expect(mail.received).toHaveLength(1);
  });
});

describe('the outbox folder', () => {
  let outbox: string;
  beforeEach(async () => void (outbox = await mkdtemp(join(tmpdir(), 'outbox-'))));
  afterEach(() => rm(outbox, { recursive: true }));

  it.each([
    [[true, true], 1],
    [[false], 0],
    [[true, false], 0],
  ])('keeps a mail only if it is wanted before and after it is written: %j', async (answers, kept) => {
    const looks = [...answers];
    const files = new MailFiles({ keys, now: Date.now }, outbox);
    const mailer = createMailer(
      { logger, now: Date.now },
      { smtpUrl: undefined, from: 'no-reply@docs.example' },
      files,
    );
    await mailer.send('one', message, () => Promise.resolve(looks.shift() === true));
    expect([await readdir(outbox), looks]).toEqual([Array(kept).fill(expect.stringContaining('-one-')), []]);
  });
});

/** A service whose clock stands at 1 s. */
const parts = { now: () => 1_000, logger, urls: { api: 'https://docs.example/v1' } };
const service = { ...parts, scope: (store: StoreScope) => ({ ...parts, store }) as Scope };
const timerOf = (id: string, data: unknown) => ({ id, data }) as DueTimer;

const pace = new InvitationPace(1);

describe('the mail about an invitation', () => {
  it('is no longer wanted when the invitation is revoked while the mail is written', async () => {
    let status = 'pending';
    const terms = () => ({ status, email: 'ann@example.org', organization: 'o' });
    const store = {
      load: (_of: unknown, _id: string) => Promise.resolve(terms()),
      read: (_projection: unknown) => ({ byId: (_id: string) => Promise.resolve({ title: 'Docs' }) }),
    } as StoreScope;
    const wantedThen: boolean[] = [];
    const send = async (_id: string, _mail: Mail, isWanted: () => Promise<boolean>): Promise<void> => {
      wantedThen.push(await isWanted());
      status = 'revoked';
      wantedThen.push(await isWanted());
    };
    const handle = mailHandler(service, { mailer: { send }, pace }, { ...noWriters, invite: writeInvitationMail });
    await handle(timerOf('mail:invite-i', { errand: { about: 'invite', invite: 'i' }, tries: 1 }), store);
    expect(wantedThen).toEqual([true, false]);
  });
});

describe('a mail that cannot be sent', () => {
  it('is tried again with growing pauses, given up after two days, and never logged with its content', async () => {
    const person = { status: 'active', kind: 'person', email: 'ann@example.org' };
    const handle = mailHandler(
      service,
      { mailer: { send: () => Promise.reject(new Error('away')) }, pace },
      {
        ...noWriters,
        password: writePasswordMail,
      },
    );
    const pauses: number[] = [];
    let data: unknown = { errand: { about: 'password', user: 'ann' }, tries: 0 };
    for (let more = true; more;) {
      more = false;
      const schedule = (timer: NewTimer) => {
        expect(timer.command).toBe(sendMail);
        pauses.push((timer.at - 1_000) / 1_000);
        data = timer.data;
        more = true;
        return Promise.resolve();
      };
      const store = { load: (_of: unknown, _id: string) => Promise.resolve(person), schedule } as StoreScope;
      await handle(timerOf('mail:1', data), store);
    }
    expect(pauses).toEqual([5, 30, 120, 600, 3_600, 14_400, 43_200, 86_400]);
    expect(logged.at(-1)).toContain('a mail was given up');
    expect(logged.join()).not.toMatch(/example\.org|secretword/);
  });
});
