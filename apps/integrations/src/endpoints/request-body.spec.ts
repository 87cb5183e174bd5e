import { describe, expect, it } from '@jest/globals';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { bodyOf } from './request-body.process.js';

const withinMs = 60_000;

function request(method: string, headers: IncomingMessage['headers'] = { 'transfer-encoding': 'chunked' }) {
  const one = new IncomingMessage(new Socket());
  return Object.assign(one, { method, headers });
}

describe('the body of a request', () => {
  it('is what was sent, or none', async () => {
    const one = request('POST');
    one.push('a b');
    one.push('ody');
    one.push(null);
    expect((await bodyOf(one, { most: 6, withinMs }))?.toString()).toBe('a body');
    expect(await bodyOf(request('GET'), { most: 6, withinMs })).toBeUndefined();
    expect(await bodyOf(request('POST', {}), { most: 6, withinMs })).toBeUndefined();
  });

  it('is refused when it is too long, or does not arrive', async () => {
    const one = request('POST');
    one.push('a body.');
    await expect(bodyOf(one, { most: 6, withinMs })).rejects.toMatchObject({ reason: 'too_large' });
    const slow = request('POST');
    slow.push('a');
    await expect(bodyOf(slow, { most: 6, withinMs: 5 })).rejects.toMatchObject({ reason: 'request_timeout' });
  });
});
