// Requests a second of one GET through the gateway, beside a plain Fastify that asks NATS itself. The servers, the
// service and each HTTP side run in processes of their own. Prints requests a second and, steadier on a busy machine, the
// HTTP process's own time for each request. Usage: node bench/forward.bench.mjs [seconds] [rounds]
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';

const [role] = process.argv.slice(2);
const roles = { servers, gateway, reference };
if (process.send !== undefined && role in roles) {
  process.on('message', () => process.send(process.cpuUsage()));
  await roles[role](...process.argv.slice(3));
} else await main(Number(process.argv[2] ?? 5), Number(process.argv[3] ?? 3));

/** Embedded NATS in one process with a service that answers a constant. */
async function servers() {
  const { startNatsServer } = await import('@scriptorium/embedded/nats');
  const { connectMessaging } = await import('@scriptorium/messaging');
  const { formatToken, principalChanges } = await import('@scriptorium/contracts');
  const { connect } = await import('@nats-io/transport-node');
  const nats = await startNatsServer({ auth: 'none' });
  const natsUrl = `nats://127.0.0.1:${nats.port}`;
  const messaging = await connectMessaging({ url: natsUrl, name: 'bench', namespace: 'bench' });
  const body = Buffer.from(
    JSON.stringify({ object: 'team', id: 't1', title: 'Docs', members: 3, filler: 'x'.repeat(250) }),
  );
  const principal = {
    principal: { kind: 'user', id: 'u1', operator: false, token: { id: 'abcdefgh', kind: 'personal' } },
  };
  const handle = async ({ operation }) => ({
    body: operation === 'authenticateToken' ? Buffer.from(JSON.stringify(principal)) : body,
  });
  await messaging.serve('identity', { handle });
  const plain = await connect({ servers: natsUrl, noAsyncTraces: true });
  plain.subscribe('plain.team', { queue: 'q', callback: (_error, message) => message.respond(body) });
  let sequence = 0;
  const beat = () =>
    messaging.publish(principalChanges, Buffer.from(JSON.stringify({ epoch: 'e', sequence: ++sequence, users: [] })));
  setInterval(beat, 250);
  process.send({ natsUrl, token: formatToken('abcdefgh', 's'.repeat(40)) });
}

async function gateway(natsUrl) {
  const { createGateway, readConfig } = await import('../dist/index.js');
  const app = await createGateway(
    readConfig({
      NATS_URL: natsUrl,
      NAMESPACE: 'bench',
      PORT: '0',
      CONTENT_PORT: '0',
      RATE_LIMIT: '1000000000',
      SECRET_KEYS: ['k1', 'reservation'].map((id) => `${id}:${Buffer.alloc(32, id).toString('base64')}`).join(),
    }),
  );
  process.send({ address: app.address });
}

async function reference(natsUrl) {
  const { fastify } = await import('fastify');
  const { connect } = await import('@nats-io/transport-node');
  const nc = await connect({ servers: natsUrl, noAsyncTraces: true });
  const app = fastify();
  app.get('/v1/orgs/:organizationId/teams/:teamId', async (request, reply) => {
    const answer = await nc.request('plain.team', JSON.stringify(request.params), { timeout: 10_000 });
    return reply.header('content-type', 'application/json').send(Buffer.from(answer.data));
  });
  process.send({ address: await app.listen({ host: '127.0.0.1', port: 0 }) });
}

async function main(seconds, rounds) {
  const children = [];
  const start = async (...args) => {
    const child = fork(fileURLToPath(import.meta.url), args);
    children.push(child);
    return { child, ...(await once(child, 'message'))[0] };
  };
  try {
    const { natsUrl, token } = await start('servers');
    const sides = [await start('gateway', natsUrl), await start('reference', natsUrl)];
    const results = sides.map(() => []);
    for (const { address } of sides) await load(address, token, 2);
    for (let round = 0; round < rounds; round += 1) {
      for (const [at, side] of sides.entries()) results[at].push(await measure(side, token, seconds));
    }
    const [own, reference] = results.map((all) => ({
      rate: median(all.map((one) => one.rate)),
      micros: median(all.map((one) => one.micros)),
    }));
    for (const [name, { rate, micros }] of Object.entries({ gateway: own, reference })) {
      process.stdout.write(`${name}: ${Math.round(rate)} requests/s, ${Math.round(micros)} us each\n`);
    }
    process.stdout.write(
      `ratio: ${(own.rate / reference.rate).toFixed(2)} of requests, ${(own.micros / reference.micros).toFixed(2)} of time\n`,
    );
  } finally {
    for (const child of children) child.kill();
  }
}

function median(values) {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)];
}

async function measure({ child, address }, token, seconds) {
  const before = await cpuMicros(child);
  const { rate, total } = await load(address, token, seconds);
  return { rate, micros: ((await cpuMicros(child)) - before) / total };
}

async function cpuMicros(child) {
  const answer = once(child, 'message');
  child.send('cpu');
  const [{ user, system }] = await answer;
  return user + system;
}

async function load(address, token, duration) {
  const result = await autocannon({
    url: `${address}/v1/orgs/o1/teams/t1`,
    connections: 50,
    duration,
    headers: { authorization: `Bearer ${token}` },
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${address}: ${result.non2xx} refusals, ${result.errors} errors`);
  return { rate: result.requests.average, total: result.requests.total };
}
