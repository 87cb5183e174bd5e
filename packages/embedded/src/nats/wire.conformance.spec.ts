import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { startNatsServer, type NatsServer } from './index.js';
import { type RawClient, rawClient } from './test/raw-client.js';

// What the official client never sends or shows. Also true of CONFORMANCE_NATS_URL when it is set.
let server: NatsServer | undefined;
let port = Number(new URL(process.env.CONFORMANCE_NATS_URL ?? 'nats://x:0').port);
let client: RawClient | undefined;

beforeAll(async () => {
  if (process.env.CONFORMANCE_NATS_URL !== undefined) return;
  server = await startNatsServer({ auth: 'none' });
  port = server.port;
});
afterAll(async () => {
  await server?.stop();
});
afterEach(() => {
  client?.socket.destroy();
});

const HELLO = 'CONNECT {"verbose":false,"pedantic":false,"headers":true,"no_responders":true,"protocol":1}\r\n';
const whenOpen = async (bytes: string) => {
  client = await rawClient(port);
  client.write(`${bytes}PING\r\n`);
  const received = await client.until((text) => text.endsWith('PONG|'));
  return received.slice(0, -'PONG|'.length);
};
const whenClosed = async (bytes: string) => {
  client = await rawClient(port);
  client.write(bytes);
  return client.closed();
};

describe('operations', () => {
  it.each([
    ['before CONNECT, verbosely', 'SUB a 1\r\nPUB a 1\r\nx\r\n', '+OK|+OK|MSG a 1 1|x|'],
    ['CONNECT without flags is verbose', 'CONNECT {}\r\n', '+OK|'],
    ['verbose', 'CONNECT {"verbose":true}\r\nSUB a 1\r\nUNSUB 9\r\nUNSUB 1\r\nPUB a 0\r\n\r\n', '+OK|+OK|+OK|+OK|+OK|'],
    ['in lower case, with tabs, without CR', `${HELLO}sub\ta  1\npub\ta 1\r\nx\r\n`, 'MSG a 1 1|x|'],
    ['with headers', `${HELLO}SUB a 1\r\nHPUB a r 12 14\r\nNATS/1.0\r\n\r\nhi\r\n`, 'HMSG a 1 r 12 14|NATS/1.0||hi|'],
    [
      'a sid in use keeps its subject',
      `${HELLO}SUB a 1\r\nSUB b 1\r\nPUB b 1\r\ny\r\nPUB a 1\r\nx\r\n`,
      'MSG a 1 1|x|',
    ],
    [
      'UNSUB with a maximum already reached',
      `${HELLO}SUB a 1\r\nPUB a 1\r\nx\r\nUNSUB 1 1\r\nPUB a 1\r\ny\r\n`,
      'MSG a 1 1|x|',
    ],
    ['no responders', `${HELLO}SUB i.* 7\r\nPUB svc i.1 1\r\nx\r\n`, 'HMSG i.1 7 16 16|NATS/1.0 503|||'],
    ['no echo', 'CONNECT {"verbose":false,"echo":false}\r\nSUB a 1\r\nPUB a 1\r\nx\r\n', ''],
    [
      'UTF-8 subjects',
      `${HELLO}SUB ä.* 1\r\nPUB ä.ü 1\r\nx\r\n`,
      `MSG ${Buffer.from('ä.ü').toString('latin1')} 1 1|x|`,
    ],
    [
      'malformed subjects reach nobody',
      `${HELLO}SUB odd.> 1\r\nPUB odd..b 0\r\n\r\nPUB odd. 0\r\n\r\nPUB odd.a. 0\r\n\r\n`,
      '',
    ],
  ])('%s', async (_, bytes, answer) => {
    expect(await whenOpen(bytes)).toBe(answer);
  });

  it('strips headers for a client without them', async () => {
    const plain = await rawClient(port);
    plain.write('CONNECT {"verbose":false}\r\nSUB stripped 1\r\nPING\r\n');
    await plain.until((text) => text === 'PONG|');
    await whenOpen(`${HELLO}HPUB stripped 12 14\r\nNATS/1.0\r\n\r\nhi\r\n`);
    expect(await plain.until((text) => text.endsWith('hi|'))).toBe('PONG|MSG stripped 1 2|hi|');
    plain.socket.destroy();
  });

  it('arrive in pieces of any size', async () => {
    client = await rawClient(port);
    const bytes = Buffer.from(
      `${HELLO}SUB piece 1\r\nPUB piece 5\r\nab\r\nc\r\nHPUB piece 12 14\r\nNATS/1.0\r\n\r\nhi\r\nPING\r\n`,
    );
    for (const byte of bytes) {
      client.socket.write(Buffer.of(byte));
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await client.until((text) => text.endsWith('PONG|'))).toBe(
      'MSG piece 1 5|ab|c|HMSG piece 1 12 14|NATS/1.0||hi|PONG|',
    );
  });
});

describe('refusals that keep the connection', () => {
  it.each([
    [
      'subscription to a malformed subject',
      `${HELLO}SUB a..b 1\r\nSUB a.>.b 2\r\n`,
      "-ERR 'Invalid Subject'|-ERR 'Invalid Subject'|",
    ],
    [
      'pedantic publish to a wildcard',
      'CONNECT {"verbose":false,"pedantic":true}\r\nPUB a.* 0\r\n\r\n',
      "-ERR 'Invalid Publish Subject'|",
    ],
  ])('%s', async (_, bytes, answer) => {
    expect(await whenOpen(bytes)).toBe(answer);
  });
});

describe('violations that end the connection', () => {
  const unknown = "-ERR 'Unknown Protocol Operation'|";
  it.each([
    ['another protocol', 'GET / HTTP/1.1\r\n\r\n', unknown],
    ['an empty line', '\r\n', unknown],
    ['an operation without arguments', `${HELLO}PUB\r\n`, unknown],
    ['an operation of the other side', `${HELLO}MSG a 1 1\r\nx\r\n`, unknown],
    ['payload longer than announced', `${HELLO}PUB a 1\r\nxyz\r\n`, unknown],
    ['a payload above the limit', `${HELLO}PUB a 1048577\r\n`, "-ERR 'Maximum Payload Violation'|"],
    ['a line without end', `${HELLO}SUB ${'a'.repeat(5000)}`, "-ERR 'maximum control line exceeded'|"],
    ['an unknown protocol version', 'CONNECT {"verbose":false,"protocol":7}\r\n', "-ERR 'invalid client protocol'|"],
    [
      'no responders without headers',
      'CONNECT {"verbose":false,"no_responders":true}\r\n',
      "-ERR 'no responders requires headers support'|",
    ],
    ['CONNECT without JSON', 'CONNECT {oops\r\n', ''],
    ['CONNECT with a list', 'CONNECT []\r\n', ''],
    ['CONNECT with a flag of another type', 'CONNECT {"verbose":1}\r\n', ''],
    ['a size that is no number', `${HELLO}PUB a x\r\n`, ''],
    ['a negative size', `${HELLO}PUB a -1\r\n`, ''],
    ['headers longer than the whole', `${HELLO}HPUB a 15 14\r\n`, ''],
    ['headers without announcement', 'CONNECT {"verbose":false}\r\nHPUB a 12 14\r\nNATS/1.0\r\n\r\nhi\r\n', ''],
    ['too many arguments', `${HELLO}SUB a b c d\r\n`, ''],
  ])('%s', async (_, bytes, answer) => {
    expect(await whenClosed(bytes)).toBe(answer);
  });
});
