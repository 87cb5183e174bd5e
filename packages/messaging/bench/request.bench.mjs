// Requests of this package beside the client's own nc.request(), over the same server, in the same run.
// Every party is a process of its own, as in the product. NATS_URL uses that server instead of the embedded one.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { connect } from '@nats-io/transport-node';
import { startNatsServer } from '@scriptorium/embedded/nats';
import { connectMessaging } from '@scriptorium/messaging';

const COUNT = Number(process.env.COUNT ?? 20_000);
const IN_FLIGHT = 50;
const ROUNDS = 3;
const BODY = new Uint8Array(300).fill(97);
const HEADERS = {
  requestId: '5f6c2a9e-2f0f-4f8e-9d1c-1f2a3b4c5d6e',
  principal: '{"kind":"user","id":"u1","scopes":["*"]}',
};
const [role, url] = process.argv.slice(2);

if (role === 'server') {
  const server = await startNatsServer({ auth: 'none' });
  process.send(server.url);
} else if (role === 'service') {
  const nc = await connect({ servers: url });
  nc.subscribe('plain.*', { queue: 'plain', callback: (_, message) => void message.respond(message.data) });
  await nc.flush();
  const messaging = await connectMessaging({ url, name: 'service', namespace: 'bench' });
  await messaging.serve('echo', { handle: ({ body }) => Promise.resolve({ body }) });
  process.send('ready');
} else {
  await main();
}

async function child(...args) {
  const forked = fork(new URL(import.meta.url).pathname, args);
  const [message] = await once(forked, 'message');
  return { message, stop: () => forked.kill('SIGKILL') };
}

async function main() {
  const server = process.env.NATS_URL
    ? { message: process.env.NATS_URL, stop: () => undefined }
    : await child('server');
  const service = await child('service', server.message);
  const nc = await connect({ servers: server.message });
  const messaging = await connectMessaging({ url: server.message, name: 'bench', namespace: 'bench' });
  const client = messaging.client();
  const lanes = {
    'nc.request': () => nc.request('plain.echo', BODY, { timeout: 5000 }),
    'client.request': () =>
      client.request({ service: 'echo', operation: 'echo', body: BODY, headers: HEADERS, timeoutMs: 5000 }),
  };
  const figures = {};
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [name, ask] of Object.entries(lanes)) {
      const figure = await measure(ask, round === 0 ? COUNT / 4 : COUNT);
      if (round > 0) (figures[name] ??= []).push(figure);
    }
  }
  for (const [name, list] of Object.entries(figures)) {
    const { rate, cpu } = list.sort((a, b) => a.rate - b.rate)[Math.floor(list.length / 2)];
    console.log(
      `${name.padEnd(15)} ${rate.toFixed(0).padStart(7)} requests/s ${cpu.toFixed(1).padStart(6)} us of the requester's CPU each`,
    );
  }
  await nc.close();
  await messaging.close();
  service.stop();
  server.stop();
}

async function measure(ask, count) {
  let left = count;
  const worker = async () => {
    while (left-- > 0) await ask();
  };
  const cpu = process.cpuUsage();
  const started = performance.now();
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
  const used = process.cpuUsage(cpu);
  return { rate: (count / (performance.now() - started)) * 1000, cpu: (used.user + used.system) / count };
}
