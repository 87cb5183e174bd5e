import { createSocket, type Socket } from 'node:dgram';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { HostnameRecords } from './hostname-records.process.js';

const name = '_scriptorium-challenge.docs.example.org';
const value = 'proofproofproofproofproofproof12';

/** The question of a query: it ends with the name, the type and the class. */
function questionOf(query: Buffer): Buffer {
  return query.subarray(12, query.indexOf(0, 12) + 5);
}

/**
 * An answer to a query (RFC 1035, section 4): `texts` is a list of TXT records, each of them of one or more strings.
 */
function answer(query: Buffer, texts: readonly (readonly string[])[], code = 0): Buffer {
  const header = Buffer.alloc(12);
  query.copy(header, 0, 0, 2);
  header.writeUInt16BE(0x8180 | code, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(texts.length, 6);
  const records = texts.map((strings) => {
    const data = Buffer.concat(strings.flatMap((text) => [Buffer.from([text.length]), Buffer.from(text)]));
    return Buffer.concat([Buffer.from([0xc0, 12, 0, 16, 0, 1, 0, 0, 0, 0, 0, data.length]), data]);
  });
  return Buffer.concat([header, questionOf(query), ...records]);
}

describe('records that verify hostnames', () => {
  let server: Socket;
  let records: HostnameRecords;
  let reply: (query: Buffer) => Buffer | undefined;
  let asked = 0;
  beforeAll(async () => {
    server = createSocket('udp4');
    server.on('message', (query, { port, address }) => {
      asked += 1;
      const sent = reply(query);
      if (sent !== undefined) server.send(sent, port, address);
    });
    await new Promise<void>((resolve) => server.bind(0, '127.0.0.1', resolve));
    records = new HostnameRecords([`127.0.0.1:${server.address().port}`]);
  });
  afterAll(() => new Promise<void>((resolve) => server.close(() => resolve())));

  const has = (withinMs = 5_000) => records.has(name, value, withinMs);

  it('have the whole value, in one string or in several, among whatever else is there', async () => {
    for (const texts of [[[value]], [[value.slice(0, 5), value.slice(5)]], [['v=spf1 -all'], [value]]]) {
      reply = (query) => answer(query, texts);
      expect([texts, await has()]).toEqual([texts, true]);
    }
  });

  it('do not count with a part of the value, with more than that, or in another case', async () => {
    const texts = [value.slice(0, -1), `${value}x`, ` ${value}`, `proof=${value}`, value.toUpperCase(), ''];
    for (const text of texts) {
      reply = (query) => answer(query, [[text]]);
      expect([text, await has()]).toEqual([text, false]);
    }
    // The value does not count when it is put together of two records.
    reply = (query) => answer(query, [[value.slice(0, 5)], [value.slice(5)]]);
    expect(await has()).toBe(false);
  });

  it('are not there when the name has none, or does not exist', async () => {
    reply = (query) => answer(query, []);
    expect(await has()).toBe(false);
    reply = (query) => answer(query, [], 3);
    expect(await has()).toBe(false);
  });

  it('are unknown, and not absent, when the name server fails or refuses', async () => {
    for (const code of [2, 5]) {
      reply = (query) => answer(query, [], code);
      await expect(has()).rejects.toMatchObject({ reason: 'bad_gateway' });
    }
  });

  it('are waited for no longer than allowed, whatever the name server sends', async () => {
    const silent = (): undefined => undefined;
    const garbage = (query: Buffer): Buffer => Buffer.concat([query.subarray(0, 2), Buffer.alloc(40, 0xff)]);
    // An answer to another question is none.
    const other = (query: Buffer): Buffer => {
      const sent = answer(query, [[value]]);
      sent.writeUInt16BE((query.readUInt16BE(0) + 1) & 0xffff, 0);
      return sent;
    };
    for (const one of [silent, garbage, other]) {
      reply = one;
      const [before, from] = [asked, performance.now()];
      await expect(has(300)).rejects.toMatchObject({ reason: 'bad_gateway' });
      expect(performance.now() - from).toBeLessThan(2_000);
      expect(asked).toBeGreaterThan(before);
    }
  });
});
