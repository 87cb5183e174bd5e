// A server that speaks just enough of the wire protocol to answer every find with the same document:
// the most a MongoDB client can get out of any server on this machine.
import { createServer } from 'node:net';
import { serialize } from 'bson';

const HELLO = {
  ismaster: true,
  isWritablePrimary: true,
  helloOk: true,
  maxBsonObjectSize: 16777216,
  maxMessageSizeBytes: 48000000,
  maxWriteBatchSize: 100000,
  localTime: new Date(),
  logicalSessionTimeoutMinutes: 30,
  connectionId: 1,
  minWireVersion: 0,
  maxWireVersion: 21,
  readOnly: false,
  ok: 1,
};
const document = { _id: 'echo', name: 'A document of the usual size', text: 'x'.repeat(200), n: 1 };
const FOUND = frame(serialize({ cursor: { firstBatch: [document], id: 0n, ns: 'bench.echo' }, ok: 1 }), 2013);
const OK = frame(serialize({ ok: 1 }), 2013);
const GREETING = frame(serialize(HELLO), 2013);

function frame(body, opCode) {
  const head = Buffer.alloc(opCode === 1 ? 36 : 21);
  if (opCode === 1) head.writeInt32LE(1, 32);
  head.writeInt32LE(head.length + body.length, 0);
  head.writeInt32LE(opCode, 12);
  return Buffer.concat([head, body]);
}

function answer(message) {
  const opCode = message.readInt32LE(12);
  let reply = OK;
  if (opCode === 2004) reply = frame(serialize(HELLO), 1);
  else {
    const name = message.toString('latin1', 26, message.indexOf(0, 26));
    if (name === 'find') reply = FOUND;
    else if (name === 'hello' || name === 'isMaster') reply = GREETING;
  }
  const out = Buffer.from(reply);
  message.copy(out, 8, 4, 8);
  return out;
}

const server = createServer((socket) => {
  let held = Buffer.alloc(0);
  let out = [];
  socket.setNoDelay(true);
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk) => {
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    while (held.length >= 4 && held.length >= held.readInt32LE(0)) {
      const length = held.readInt32LE(0);
      out.push(answer(held.subarray(0, length)));
      held = held.subarray(length);
    }
    if (out.length > 0) setImmediate(() => socket.write(Buffer.concat(out.splice(0))));
  });
});
server.listen(0, '127.0.0.1', () => console.log(`mongodb://127.0.0.1:${server.address().port}/?directConnection=true`));
