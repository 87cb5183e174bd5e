import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { exchange, isWhole, parseAnswer } from './test/raw.js';
import { startRig, type CallOptions, type Json, type Rig } from './test/rig.js';

let rig: Rig;
beforeAll(async () => void (rig = await startRig()));
afterAll(() => rig.stop());

const teams = '/v1/orgs/o/teams';
const put = 'PUT /v1/orgs/o/teams HTTP/1.1\r\n';

describe('an error names the failing field', () => {
  it.each([
    [
      'a body of another type',
      415,
      'headers.content-type',
      'PUT',
      teams,
      { body: 'title=a', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    ],
    ['an invalid type', 415, 'headers.content-type', 'PUT', teams, { body: '{}', headers: { 'content-type': ';;' } }],
    ['a body that is too large', 413, 'body', 'PUT', teams, { body: `"${'a'.repeat(11 * 1024 * 1024)}"` }],
    ['a URL that is too long', 400, 'url', 'GET', `${teams}?title=${'a'.repeat(2_050)}`, {}],
    ['a NUL in the URL', 400, 'url', 'GET', `${teams}?title=%00`, {}],
    ['a path with invalid percent-encoding', 400, 'url', 'GET', '/v1/orgs/%zz', {}],
    ['a query with invalid percent-encoding', 400, 'url', 'GET', `${teams}?title=%ff`, {}],
  ] as [string, number, string, string, string, CallOptions][])(
    '%s: %i %s',
    async (_, status, field, method, path, options) => {
      const answer = await rig.call(method, path, options);
      expect([answer.status, answer.json.error.details.map((detail) => detail.path)]).toEqual([status, [field]]);
    },
  );

  it.each([
    ['another host', 421, 'headers.host', `${put}Host: evil.test\r\n\r\n`],
    ['another host in the target', 421, 'url', 'GET http://evil.test/v1/ HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ['no host', 400, 'headers.host', `${put}\r\n`],
    ['two hosts', 400, 'headers.host', `${put}Host: a, b\r\n\r\n`],
    [
      'ambiguous chunks',
      400,
      'headers.transfer-encoding',
      `${put}Host: localhost\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`,
    ],
    ['an unknown Expect', 400, 'headers.expect', `${put}Host: localhost\r\nExpect: tea\r\n\r\n`],
  ])('%s: %i %s', async (_, status, field, bytes) => {
    const answer = parseAnswer(await exchange(rig.address, bytes, { done: isWhole }));
    expect([answer.status, (answer.body as Json).error.details.map((detail) => detail.path)]).toEqual([
      status,
      [field],
    ]);
  });
});
