import { LRUCache } from 'lru-cache';
import { wireHeader } from '@scriptorium/contracts';
import type { Requester, ServiceAnswer, ServiceCall } from './requester.js';

interface Known {
  digest: string;
  body: Uint8Array;
}

const mostBytes = 64 * 1024 * 1024;
/** What was erased meanwhile is not kept for longer (ms). */
const keptFor = 60_000;
/** A longer input is not worth keeping its answer for. */
const mostInput = 4 * 1024;

/**
 * Asks for large answers by telling the digest of the last one to the same input, whoever got it: a service that would give the very same bytes
 * sends none. The service answers every request all the same, so nobody gets what they may not see, or what is not so any more.
 */
export function withKnownAnswers(client: Requester): Requester {
  const answers = new LRUCache<string, Known>({
    maxSize: mostBytes,
    ttl: keptFor,
    sizeCalculation: ({ body }, input) => body.length + input.length,
  });
  const ask = async (call: ServiceCall): Promise<ServiceAnswer> => {
    const input = `${call.operation} ${Buffer.from(call.body.buffer, call.body.byteOffset, call.body.length).toString('latin1')}`;
    const known = answers.get(input);
    const headers = known === undefined ? call.headers : { ...call.headers, [wireHeader.known]: known.digest };
    const answer = await client.request({ ...call, headers });
    const { [wireHeader.digest]: digest } = answer.headers;
    if (digest === undefined) return answer;
    if (known?.digest === digest && answer.body.length === 0) return { ...answer, body: known.body };
    // A copy in memory of its own: the bytes share theirs with other messages.
    const body = Buffer.allocUnsafeSlow(answer.body.length);
    body.set(answer.body);
    answers.set(input, { digest, body });
    return { ...answer, body };
  };
  return {
    request: (call) => (call.reads === true && call.body.length <= mostInput ? ask(call) : client.request(call)),
  };
}
