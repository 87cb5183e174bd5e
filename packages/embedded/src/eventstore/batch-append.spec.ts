import { randomUUID } from 'node:crypto';
import { type ClientHttp2Session, type ClientHttp2Stream, connect } from 'node:http2';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type EventStoreServer, startEventStoreServer } from './server.js';
import { type Streams, streams } from './wire/definitions.js';
import { field, frame, numberField } from './wire/protobuf.js';
import { MessageReader } from './wire/message-reader.js';

// Appends in several messages, which the official client sends one right after the other.
let server: EventStoreServer;
let session: ClientHttp2Session;
let call: ClientHttp2Stream;
const answers: Streams.BatchAppendResp[] = [];
let wake: () => void = () => undefined;

beforeAll(async () => {
  server = await startEventStoreServer({ auth: 'none' });
  session = connect(`http://127.0.0.1:${String(server.port)}`);
  call = session.request({
    ':method': 'POST',
    ':path': '/event_store.client.streams.Streams/BatchAppend',
    'content-type': 'application/grpc',
  });
  const reader = new MessageReader(1_000_000);
  call.on('data', (chunk: Buffer) => {
    reader.push(chunk, (message) => answers.push(streams.BatchAppendResp.deserializeBinary(message)));
    wake();
  });
});
afterAll(async () => {
  session.destroy();
  await server.stop();
});

async function answered(count: number): Promise<Streams.BatchAppendResp> {
  while (answers.length < count) await new Promise<void>((resolve) => (wake = resolve));
  return answers[count - 1] as Streams.BatchAppendResp;
}

interface Part {
  readonly id: string;
  readonly deadline?: number;
  readonly bytes?: number;
  readonly isFinal?: boolean;
}

/** Sends one message of an append; the first has a deadline, in ms from now. */
function send({ id, deadline, bytes, isFinal = false }: Part): void {
  const parts = [field(0x0a, uuid(id))];
  if (deadline !== undefined) parts.push(field(0x12, optionsOf(id, Date.now() + deadline)));
  if (bytes !== undefined) parts.push(field(0x1a, messageOf(bytes)));
  if (isFinal) parts.push(numberField(0x20, 1));
  call.write(frame(...parts));
}

const uuid = (id: string): Buffer => field(0x12, Buffer.from(id));

function optionsOf(id: string, at: number): Buffer {
  const until = Buffer.concat([numberField(0x08, Math.floor(at / 1000)), numberField(0x10, (at % 1000) * 1e6)]);
  const stream = field(0x1a, Buffer.from(`s-${id}`));
  return Buffer.concat([field(0x0a, stream), field(0x22, Buffer.alloc(0)), field(0x32, until)]);
}

function messageOf(bytes: number): Buffer {
  const property = (name: string, value: string): Buffer =>
    field(0x12, Buffer.concat([field(0x0a, Buffer.from(name)), field(0x12, Buffer.from(value))]));
  return Buffer.concat([
    field(0x0a, uuid(randomUUID())),
    property('type', 'Thing'),
    property('content-type', 'application/octet-stream'),
    field(0x22, Buffer.alloc(bytes)),
  ]);
}

const DEADLINE_EXCEEDED = 4;
const INVALID_ARGUMENT = 3;

it('answers an append at its deadline while parts are to come, and drops these', async () => {
  const [late, next] = [randomUUID(), randomUUID()];
  send({ id: late, deadline: 30, bytes: 10 });
  expect((await answered(1)).getError()?.getCode()).toBe(DEADLINE_EXCEEDED);
  send({ id: late, bytes: 10, isFinal: true });
  send({ id: next, deadline: 60_000, bytes: 10, isFinal: true });
  const second = await answered(2);
  expect(second.getSuccess()).toBeDefined();
  expect(second.getCorrelationId()?.getString()).toBe(next);
});

it('does not look at the events of an append that comes too late', async () => {
  const before = answers.length;
  send({ id: randomUUID(), deadline: -5, bytes: 1_200_000, isFinal: true });
  expect((await answered(before + 1)).getError()?.getCode()).toBe(DEADLINE_EXCEEDED);
  send({ id: randomUUID(), deadline: 60_000, bytes: 1_200_000, isFinal: true });
  expect((await answered(before + 2)).getError()?.getCode()).toBe(INVALID_ARGUMENT);
});

it('takes a deadline that is years away', async () => {
  const before = answers.length;
  send({ id: randomUUID(), deadline: 10 * 365 * 86_400_000, bytes: 10, isFinal: true });
  expect((await answered(before + 1)).getSuccess()).toBeDefined();
});
