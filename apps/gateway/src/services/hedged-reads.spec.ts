import { describe, expect, it } from '@jest/globals';
import { AppError } from '@scriptorium/contracts';
import { withHedgedReads, type ServiceAnswer, type ServiceCall } from './client.js';

const call: ServiceCall = {
  service: 'identity',
  operation: 'x',
  body: Buffer.alloc(0),
  headers: {},
  timeoutMs: 5_000,
  reads: true,
};
const answer = (text: string): ServiceAnswer => ({ body: Buffer.from(text), headers: {} });

/** A service that records its requests; the test answers them. */
function service() {
  const asked: { call: ServiceCall; answer: (given: ServiceAnswer) => void; refuse: (error: AppError) => void }[] = [];
  return {
    asked,
    client: {
      request: (given: ServiceCall) =>
        new Promise<ServiceAnswer>((answered, refuse) => void asked.push({ call: given, answer: answered, refuse })),
    },
  };
}

const beat = () => new Promise((resolve) => setTimeout(resolve, 15));
const unavailable = new AppError('unavailable');

describe('a read without an answer', () => {
  it('is sent a second time with the remaining time, and the first answer wins', async () => {
    const { asked, client } = service();
    const read = withHedgedReads(client, 10).request(call);
    while (asked.length < 2) await beat();
    expect(asked[0]?.call.timeoutMs).toBe(5_000);
    expect(asked[1]?.call.timeoutMs).toBeLessThan(5_000);
    asked[1]?.answer(answer('second'));
    asked[0]?.answer(answer('first'));
    await expect(read).resolves.toEqual(answer('second'));
  });

  it('fails when both requests fail', async () => {
    const { asked, client } = service();
    const read = withHedgedReads(client, 10).request(call);
    while (asked.length < 2) await beat();
    asked[0]?.refuse(unavailable);
    asked[1]?.refuse(unavailable);
    await expect(read).rejects.toBe(unavailable);
  });

  it('is sent again as long as no replica is there, until one answers', async () => {
    const { asked, client } = service();
    const read = withHedgedReads(client, 10).request(call);
    for (const n of [1, 2]) {
      while (asked.length < n + 1) await beat();
      asked[n]?.refuse(unavailable);
    }
    while (asked.length < 4) await beat();
    asked[3]?.answer(answer('of the next replica'));
    await expect(read).resolves.toEqual(answer('of the next replica'));
    asked[0]?.refuse(unavailable);
    await beat();
    expect(asked).toHaveLength(4);
  });

  it('is refused as soon as one of the requests is refused', async () => {
    const { asked, client } = service();
    const read = withHedgedReads(client, 10).request(call);
    while (asked.length < 2) await beat();
    asked[1]?.refuse(new AppError('not_found'));
    await expect(read).rejects.toMatchObject({ reason: 'not_found' });
  });
});

describe('sent only once', () => {
  it('are writes, and reads without time for a second request', async () => {
    const { asked, client } = service();
    const requester = withHedgedReads(client, 5);
    void requester.request({ ...call, reads: false });
    void requester.request({ ...call, timeoutMs: 10 });
    await beat();
    await beat();
    expect(asked).toHaveLength(2);
  });

  it('are reads that are answered or refused at once', async () => {
    const { asked, client } = service();
    const requester = withHedgedReads(client, 5);
    const [good, bad] = [requester.request(call), requester.request(call)];
    asked[0]?.answer(answer('x'));
    asked[1]?.refuse(unavailable);
    await expect(good).resolves.toEqual(answer('x'));
    await expect(bad).rejects.toBe(unavailable);
    await beat();
    expect(asked).toHaveLength(2);
  });
});
