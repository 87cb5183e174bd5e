import { createSocket } from 'node:dgram';
import type { Cleanup } from '../processes/cleanup.js';

/** A name server that knows one record. */
export interface NameServer {
  address: string;
  /** The text that it answers whatever is asked. */
  text: string;
}

/** Starts a name server, so that the hostname of a site can be verified. */
export async function startNameServer(cleanup: Cleanup): Promise<NameServer> {
  const socket = createSocket('udp4');
  await new Promise<void>((resolve) => void socket.bind(0, '127.0.0.1', resolve));
  cleanup.add(() => void socket.close());
  const server: NameServer = { address: `127.0.0.1:${socket.address().port}`, text: '' };
  socket.on('message', (question, { port, address }) => socket.send(answerTo(question, server.text), port, address));
  return server;
}

/** An answer has the id and the question of what was asked, and then the record (RFC 1035, sections 3.2 and 4.1). */
function answerTo(asked: Buffer, text: string): Buffer {
  const endOfName = asked.indexOf(0, headerLength) + 1;
  const question = asked.subarray(headerLength, endOfName + typeAndClass.length);
  const flagsAndCounts = Buffer.from([0x81, 0x80, 0, 1, 0, 1, 0, 0, 0, 0]);
  const nameOfQuestion = Buffer.from([0xc0, headerLength]);
  const notKept = Buffer.alloc(4);
  const value = Buffer.from(text);
  const lengths = Buffer.from([0, value.length + 1, value.length]);
  return Buffer.concat([
    asked.subarray(0, 2),
    flagsAndCounts,
    question,
    nameOfQuestion,
    typeAndClass,
    notKept,
    lengths,
    value,
  ]);
}

const headerLength = 12;
/** TXT of the internet. */
const typeAndClass = Buffer.from([0, 16, 0, 1]);
