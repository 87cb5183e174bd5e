// Usage: node bench/nats.bench.mjs — request-reply through the embedded server and, in turns with it, through the
// official `nats-server` when it is on the PATH. Requester, responder and server are processes of their own, as in the
// product.
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { connect } from '@nats-io/transport-node';
import { startChild } from '../scripts/child-server.mjs';
import { startRealNats } from '../scripts/nats-server.mjs';

const IN_FLIGHT = 50;
const SECONDS = 3;
const ROUNDS = 5;
const GOAL = 90;
const self = fileURLToPath(import.meta.url);
const request = new Uint8Array(200).fill(120);
const answer = new Uint8Array(1000).fill(121);

/** The client takes no credentials from a URL. */
function connectTo(url) {
  const { host, username, password } = new URL(url);
  return connect({ servers: host, ...(username === '' ? {} : { user: username, pass: password }) });
}

async function respond(url) {
  const connection = await connectTo(url);
  connection.subscribe('bench.ask', { queue: 'bench', callback: (_error, message) => message.respond(answer) });
  await connection.flush();
  process.send('ready');
}

const startEmbedded = () =>
  startChild({
    file: process.execPath,
    args: () => [fileURLToPath(new URL('../dist/nats/bin.js', import.meta.url)), '--port', '0'],
    url: (_folder, output) => (output.includes('\n') ? output.trim() : undefined),
  });

/** A requester and a responder on one server; `rate` asks for `SECONDS` and gives requests per second. */
async function attach(url) {
  const responder = fork(self, ['respond', url]);
  await new Promise((resolve) => responder.once('message', resolve));
  const connection = await connectTo(url);
  const rate = async (seconds = SECONDS) => {
    const started = performance.now();
    const end = started + seconds * 1000;
    let asked = 0;
    await Promise.all(
      Array.from({ length: IN_FLIGHT }, async () => {
        while (performance.now() < end) {
          await connection.request('bench.ask', request, { timeout: 5000 });
          asked += 1;
        }
      }),
    );
    return asked / ((performance.now() - started) / 1000);
  };
  const close = async () => {
    await connection.close();
    responder.kill('SIGTERM');
  };
  return { rate, close };
}

const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];

async function compare() {
  const official = await startRealNats();
  const servers = { embedded: await startEmbedded(), ...(official === undefined ? {} : { official }) };
  const clients = {};
  for (const [name, server] of Object.entries(servers)) clients[name] = await attach(server.url);
  const rates = Object.fromEntries(Object.keys(clients).map((name) => [name, []]));
  try {
    for (const client of Object.values(clients)) await client.rate(1);
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const [name, client] of Object.entries(clients)) rates[name].push(await client.rate());
    }
  } finally {
    for (const client of Object.values(clients)) await client.close();
    for (const server of Object.values(servers)) await server.stop();
  }
  for (const [name, values] of Object.entries(rates))
    console.log(`request-reply, ${IN_FLIGHT} in flight, ${name}: ${Math.round(median(values))}/s`);
  if (official === undefined) return;
  const percent = Math.round((median(rates.embedded) / median(rates.official)) * 100);
  console.log(`embedded beside ${official.version}: ${percent} % (goal >= ${GOAL})`);
}

if (process.argv[2] === 'respond') await respond(process.argv[3]);
else await compare().then(() => process.exit(0));
