import { createSocket } from 'node:dgram';

/** A name server on a free port that knows TXT records. */
export interface NameServer {
  address: string;
  /** The records, by name. A name that is missing does not exist. */
  records: Map<string, string>;
  stop(): Promise<void>;
}

export async function startNameServer(): Promise<NameServer> {
  const records = new Map<string, string>();
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => socket.send(answerTo(query, records), port, address));
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  const { port } = socket.address();
  return {
    address: `127.0.0.1:${port}`,
    records,
    stop: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

/** The header of a query, its question, and the record if there is one (RFC 1035, section 4). */
function answerTo(query: Buffer, records: ReadonlyMap<string, string>): Buffer {
  const labels: string[] = [];
  let offset = 12;
  for (let length = query[offset] ?? 0; length > 0; length = query[offset] ?? 0) {
    labels.push(query.toString('latin1', offset + 1, offset + 1 + length));
    offset += 1 + length;
  }
  const question = query.subarray(12, offset + 5);
  const value = records.get(labels.join('.').toLowerCase());
  const header = Buffer.alloc(12);
  query.copy(header, 0, 0, 2);
  header.writeUInt16BE(value === undefined ? 0x8183 : 0x8180, 2);
  header.writeUInt16BE(1, 4);
  if (value === undefined) return Buffer.concat([header, question]);
  header.writeUInt16BE(1, 6);
  const text = Buffer.from(value);
  // The name of the question, type TXT, class IN, no caching.
  const record = Buffer.from([0xc0, 12, 0, 16, 0, 1, 0, 0, 0, 0, 0, text.length + 1, text.length]);
  return Buffer.concat([header, question, record, text]);
}
