import { existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { connect as connectHttp2 } from 'node:http2';
import { connect } from 'node:net';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { inFull } from '@scriptorium/toolchain/proof';
import { trackedCommands, type Running } from '../test/command.js';
import { tempFolders } from '../test/temp-folder.js';

jest.setTimeout(300_000);

const folder = tempFolders();
const data = join(folder(), 'data');
const file = join(data, 'server-passwords');
const commands = trackedCommands();

const begin = () => commands.run(['start'], { DATA_DIR: data, PORT: '0' });

const passwords = () =>
  readFileSync(file, 'utf8')
    .trim()
    .split(',')
    .map((entry) => entry.split(':')[1] ?? '');
const runFile = () =>
  JSON.parse(readFileSync(join(data, 'run.json'), 'utf8')) as {
    environment: Record<'EVENTSTORE_URL' | 'MONGODB_URL' | 'NATS_URL', string>;
    adminPorts: Record<string, number>;
  };
const portOf = (variable: keyof ReturnType<typeof runFile>['environment']) =>
  Number(/@127\.0\.0\.1:(\d+)/.exec(runFile().environment[variable])?.[1]);

/** What a server sends until it closes the connection, or until `enough` matches. */
function said(port: number, bytes: Buffer | string, enough: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      text += chunk;
      if (enough.test(text)) socket.destroy();
    });
    socket.once('error', reject).once('close', () => resolve(text));
  });
}

/** `{ listDatabases: 1, $db: 'admin' }` as a message of MongoDB's protocol. */
function listDatabases(): Buffer {
  const fields = Buffer.from('\x10listDatabases\0\x01\0\0\0\x02$db\0\x06\0\0\0admin\0\0', 'latin1');
  const message = Buffer.alloc(16 + 5 + 4);
  message.writeInt32LE(message.length + fields.length, 0);
  message.writeInt32LE(2013, 12);
  message.writeInt32LE(4 + fields.length, 21);
  return Buffer.concat([message, fields]);
}

/** The gRPC status of reading the whole log without credentials. */
async function readStatus(port: number): Promise<unknown> {
  const session = connectHttp2(`http://127.0.0.1:${port}`);
  const call = session.request({
    ':method': 'POST',
    ':path': '/event_store.client.streams.Streams/Read',
    'content-type': 'application/grpc',
  });
  const status = await new Promise((resolve) =>
    call.once('response', (headers) => resolve(headers['grpc-status'])).end(),
  );
  session.destroy();
  return status;
}

describe('the passwords of the embedded servers', () => {
  let product: Running;
  beforeAll(async () => {
    product = begin();
    await product.ready();
  });

  it('are created at the first start, one for each server, in a file that only its owner can read', () => {
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(new Set(passwords()).size).toBe(3);
    for (const password of passwords()) expect(password).toMatch(/^[\w-]{43}$/);
  });

  it('are required by each server', async () => {
    expect(await said(portOf('NATS_URL'), 'CONNECT {}\r\nPING\r\n', /PONG/)).toContain(
      "-ERR 'Authorization Violation'",
    );
    expect(await said(portOf('MONGODB_URL'), listDatabases(), /listDatabases/)).toContain(
      'Command listDatabases requires authentication',
    );
    expect(await readStatus(portOf('EVENTSTORE_URL'))).toBe('7');
  });

  it('appear in no log line, health details, metrics or process arguments', async () => {
    const shown = [product.stdout(), product.stderr()];
    for (const port of Object.values(runFile().adminPorts))
      for (const path of ['readyz', 'metrics', 'livez'])
        shown.push(await (await fetch(`http://127.0.0.1:${port}/${path}`)).text());
    expect(shown.join('\n')).toContain(`127.0.0.1:${portOf('MONGODB_URL')}`);
    // Only Linux shows arguments as files.
    for (const pid of [product.pid, ...['servers', 'services', 'gateway'].map((name) => product.pidOf(name))])
      if (existsSync(`/proc/${pid}/cmdline`)) shown.push(readFileSync(`/proc/${pid}/cmdline`, 'latin1'));
    for (const password of passwords()) expect(shown.join('\n')).not.toContain(password);
  });

  it('appear in no message of a command that fails to use them', async () => {
    const secret = 'not-the-password-of-this-server-at-all';
    const bootstrap = commands.run(['bootstrap'], {
      NATS_URL: runFile().environment.NATS_URL.replace(/:[^:@]+@/, `:${secret}@`),
    });
    expect(await bootstrap.ended()).toBe(1);
    expect(bootstrap.stderr()).toContain('refuses the credentials');
    expect(bootstrap.stdout() + bootstrap.stderr()).not.toContain(secret);
  });

  (inFull ? it : it.skip)(
    'stay the same at the next start, and are created again when the file is missing',
    async () => {
      const before = passwords();
      product.signal('SIGTERM');
      expect(await product.ended()).toBe(0);
      product = begin();
      await product.ready();
      expect(passwords()).toEqual(before);
      product.signal('SIGTERM');
      expect(await product.ended()).toBe(0);
      rmSync(file);
      product = begin();
      await product.ready();
      expect(passwords().some((password) => before.includes(password))).toBe(false);
      const { token } = JSON.parse(readFileSync(join(data, 'first-run.json'), 'utf8')) as { token: string };
      const user = await fetch(`${product.address()}/v1/user`, { headers: { authorization: `Bearer ${token}` } });
      expect(user.status).toBe(200);
    },
  );
});
