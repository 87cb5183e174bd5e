import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chownSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as delay } from 'node:timers/promises';
import { containerDefaults } from './dockerfile.mjs';

const file = (path) => fileURLToPath(new URL(path, import.meta.url));
const host = '127.0.0.1';
const readyMs = 90_000;
const stopMs = 8_000;
const user = 65532;

/** Given as files, as docker-compose.yml does. */
const secret = new Set(['SECRET_KEYS', 'EVENTSTORE_URL', 'MONGODB_URL', 'NATS_URL', 'RUNTIME_KEY']);

/** Starts the servers, and each app from its layout. `ends` gets what has to be done when the smoke ends. */
export async function startContainers(folder, apps, ends) {
  const shared = await startServers(folder, ends);
  const started = [];
  const address = async () => `http://${host}:${await freePort()}`;
  const addresses = { api: await address(), files: await address(), reader: await address(), app: await address() };
  const endpoints = await freePort();
  const runtime = { RUNTIME_URL: await address(), RUNTIME_KEY: randomBytes(32).toString('base64url') };
  const portOf = (url) => new URL(url).port;
  for (const name of apps.filter((app) => app !== 'cli')) {
    const everywhere = { ADMIN_PORT: String(await freePort()), CONTENT_ORIGIN: addresses.files };
    const INTEGRATIONS_ORIGIN = `http://*.integrations.localhost:${endpoints}`;
    const inside = {
      ...shared,
      ...everywhere,
      PUBLIC_URL: addresses.api,
      APP_URL: addresses.app,
      FILES_PORT: '0',
      FILES_HOST: host,
      ENDPOINTS_PORT: '0',
      ENDPOINTS_HOST: host,
      INTEGRATIONS_ORIGIN,
    };
    const own = {
      gateway: {
        ...inside,
        PORT: portOf(addresses.api),
        CONTENT_PORT: portOf(addresses.files),
        INTEGRATIONS_PORT: String(endpoints),
        SITE_READER_URL: addresses.reader,
        // What is tried here asks for more in a minute than one person does.
        RATE_LIMIT: '0',
      },
      integrations: { ...inside, ...runtime },
      runtime: {
        ADMIN_PORT: everywhere.ADMIN_PORT,
        RUNTIME_HOST: host,
        RUNTIME_PORT: portOf(runtime.RUNTIME_URL),
        RUNTIME_KEY: runtime.RUNTIME_KEY,
        RUNTIME_API_ORIGIN: addresses.api,
      },
      reader: {
        ...everywhere,
        READER_PORT: portOf(addresses.reader),
        READER_API_URL: addresses.api,
        READER_APP_URL: addresses.app,
      },
    };
    const container = createContainer(folder, name, own[name] ?? inside);
    ends.push(() => container.stop());
    started.push(container);
    container.start();
  }
  for (const container of started) await container.untilReady();
  const cli = createContainer(folder, 'cli', { NATS_URL: shared.NATS_URL });
  return {
    ...addresses,
    runtime,
    all: started,
    /** Runs the command without the file of this secret, which is there again afterwards. */
    async without(setting) {
      const at = join(folder, 'cli-data', setting);
      renameSync(at, `${at}.away`);
      await cli.output([...containerDefaults().entry, 'bootstrap']).finally(() => renameSync(`${at}.away`, at));
    },
    command: (...words) => cli.output([...containerDefaults().entry, ...words]),
    async stopAll(say) {
      for (const container of started.toReversed()) say(container.name, await container.stop());
    },
  };
}

/** A container that is none: the program in the folder that would be its file system. */
function createContainer(folder, name, own) {
  const { environment, entry, health } = containerDefaults();
  const data = join(folder, `${name}-data`);
  mkdirSync(data);
  chownSync(data, user, user);
  const variables = { ...environment, LOG_LEVEL: 'warn', ...asFiles(data, own) };
  let child;
  let said = '';
  const run = (command) =>
    spawn('unshare', ['--mount', '--propagation', 'private', file('enter.sh'), join(folder, name), data, ...command], {
      env: { ...variables, PATH: process.env.PATH },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  const output = async (command) => {
    const once = run(command);
    const [text, errors, code] = await Promise.all([textOf(once.stdout), textOf(once.stderr), exitOf(once)]);
    if (code !== 0) throw new Error(`${name}: ${command.join(' ')} ended with ${code}: ${text}${errors}`);
    return text.trim();
  };
  return {
    name,
    output,
    get pid() {
      return child.pid;
    },
    start() {
      child = run(entry);
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', (text) => (said = (said + text).slice(-4_000)));
    },
    /** Asked as Docker asks: by the health check, in the container. */
    async untilReady() {
      const late = performance.now() + readyMs;
      for (;;) {
        const answer = await output(health).then(
          () => undefined,
          (error) => error.message,
        );
        if (answer === undefined) return;
        if (child.exitCode !== null || performance.now() > late)
          throw new Error(`${name} is not ready: ${answer}\n${said}`);
        await delay(250);
      }
    },
    async stop() {
      if (child === undefined || child.exitCode !== null) return 'ended';
      const began = performance.now();
      const gone = exitOf(child);
      child.kill('SIGTERM');
      const kill = setTimeout(() => child.kill('SIGKILL'), stopMs);
      const code = await gone;
      clearTimeout(kill);
      if (code !== 0) throw new Error(`${name} ended with ${code} when it was told to stop: ${said}`);
      return `stopped within ${Math.round(performance.now() - began)} ms`;
    },
  };
}

/** The settings, those that are secret as files of the folder that the container has as `/data`. */
function asFiles(data, settings) {
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) => {
      if (!secret.has(name)) return [name, value];
      writeFileSync(join(data, name), `${value}\n`);
      return [`${name}_FILE`, `/data/${name}`];
    }),
  );
}

/** The embedded servers, which stand for real ones here. */
async function startServers(folder, ends) {
  const ports = { EVENTSTORE: await freePort(), MONGODB: await freePort(), NATS: await freePort() };
  const password = randomBytes(24).toString('base64url');
  const of = (ending, values) =>
    Object.fromEntries(Object.keys(ports).map((name) => [`EMBEDDED_${name}_${ending}`, values(name)]));
  const child = spawn(process.execPath, [file('../../apps/cli/dist/processes/servers.js')], {
    env: {
      EMBEDDED_DATA_DIR: join(folder, 'servers'),
      ADMIN_PORT: '0',
      LOG_LEVEL: 'warn',
      ...of('PORT', (name) => String(ports[name])),
      ...of('PASSWORD', () => password),
    },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  ends.push(async () => {
    if (child.exitCode !== null) return;
    const gone = exitOf(child);
    child.kill('SIGTERM');
    await gone;
  });
  const [message] = await Promise.race([
    once(child, 'message', { signal: AbortSignal.timeout(readyMs) }),
    once(child, 'exit').then(() => []),
  ]);
  if (message?.ready !== true) throw new Error('the servers could not start');
  const at = (name) => `scriptorium:${password}@${host}:${ports[name]}`;
  return {
    EVENTSTORE_URL: `esdb://${at('EVENTSTORE')}?tls=false`,
    MONGODB_URL: `mongodb://${at('MONGODB')}`,
    NATS_URL: `nats://${at('NATS')}`,
    SECRET_KEYS: ['k1', 'reservation'].map((id) => `${id}:${randomBytes(32).toString('base64')}`).join(','),
  };
}

async function freePort() {
  const probe = createServer();
  probe.listen(0, host);
  await once(probe, 'listening');
  const { port } = probe.address();
  probe.close();
  await once(probe, 'close');
  return port;
}

async function exitOf(child) {
  const [code, signal] = await once(child, 'exit');
  return code ?? signal;
}

async function textOf(stream) {
  let text = '';
  for await (const chunk of stream.setEncoding('utf8')) text += chunk;
  return text;
}
