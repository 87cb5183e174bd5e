import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { chooseServices, installedServices } from './apps.js';
import { readAddressSettings, readBootstrapSettings, readFolderSettings, readStartSettings } from './settings.js';
import { planProcesses, processNames } from './start/plan.js';
import { serviceEnvironment, settleAddresses } from './start/environment.js';
import { tempFolders } from './test/temp-folder.js';

const folder = tempFolders();

describe('the settings of start', () => {
  it('have the documented defaults', () => {
    expect(readStartSettings({})).toMatchObject({
      HOST: '127.0.0.1',
      PORT: 8080,
      DATA_DIR: './.data',
      RATE_LIMIT: 1000,
      NAMESPACE: 'scriptorium',
      FIRST_USER_EMAIL: 'admin@example.com',
    });
  });

  it('treat an empty variable as not set', () => {
    expect(readStartSettings({ PORT: '', NATS_URL: '' })).toMatchObject({ PORT: 8080 });
  });

  it.each([
    ['PORT', 'eighty'],
    ['PORT', '65536'],
    ['PUBLIC_URL', 'ftp://docs.example.com'],
    ['CONTENT_PORT', '65536'],
    ['INTEGRATIONS_PORT', '65536'],
    ['INTEGRATIONS_ORIGIN', 'https://*.example.org/path'],
    ['CONTENT_ORIGIN', 'files.example.com'],
    ['RATE_LIMIT', '-1'],
    ['EVENTSTORE_URL', 'http://localhost:2113'],
    ['MONGODB_URL', 'localhost:27017'],
    ['NATS_URL', 'localhost:4222'],
    ['RUNTIME', 'on'],
    ['RUNTIME_URL', 'localhost:8084'],
    ['RUNTIME_KEY', 'short'],
    ['NAMESPACE', 'Mine!'],
    ['FIRST_USER_EMAIL', 'nobody'],
    ['FIRST_ORGANIZATION_TITLE', 'x'],
  ])('refuse %s=%s with one line that names it', (name, value) => {
    expect(() => readStartSettings({ [name]: value })).toThrow(new RegExp(`^${name}: [^\\n]+$`));
  });
});

describe('the data folder', () => {
  it.each([
    ['start', readStartSettings],
    ['backup, restore and verify', readFolderSettings],
    ['commands that ask an installation', readAddressSettings],
  ])('of %s is no file, and not below one', (_, read) => {
    const file = join(folder(), 'file');
    writeFileSync(file, '');
    for (const path of [file, join(file, 'data')])
      expect(() => read({ DATA_DIR: path })).toThrow(/^DATA_DIR: Must be a folder[^\n]+$/);
    expect(read({ DATA_DIR: join(folder(), 'not', 'yet') }).DATA_DIR).toMatch(/yet$/);
  });
});

describe('the settings of bootstrap', () => {
  it('require the address of NATS', () => {
    expect(() => readBootstrapSettings({})).toThrow('NATS_URL is not set');
    expect(readBootstrapSettings({ NATS_URL: 'nats://nats:4222' }).NATS_URL).toBe('nats://nats:4222');
  });
});

describe('the services to run', () => {
  it('are those that can run within a process', () => {
    const apps = folder();
    for (const name of ['cli', 'gateway', 'content', 'identity']) {
      mkdirSync(join(apps, name, 'dist'), { recursive: true });
      writeFileSync(join(apps, name, 'dist', 'create.js'), '');
    }
    mkdirSync(join(apps, 'unbuilt'));
    expect(installedServices(apps)).toEqual(['content', 'identity']);
  });

  it('can be chosen only among those installed', () => {
    expect(chooseServices([], ['content', 'identity'])).toEqual(['content', 'identity']);
    expect(chooseServices(['identity'], ['content', 'identity'])).toEqual(['identity']);
    expect(() => chooseServices(['sites'], ['content', 'identity'])).toThrow(
      'there is no service sites; installed: content, identity',
    );
  });
});

describe('the processes of an installation', () => {
  const passwords = { eventstore: 'e'.repeat(40), mongodb: 'm'.repeat(40), nats: 'n'.repeat(40) };
  const plan = async (environment: Record<string, string>, isolated = false, services = ['content', 'identity']) => {
    const settings = readStartSettings(environment);
    const addresses = await settleAddresses(settings, processNames(services, isolated), passwords);
    const planned = planProcesses({
      services,
      isolated,
      addresses,
      inherited: { ...environment, ADMIN_PORT: '9100', LANG: 'C' },
      environment: serviceEnvironment(settings, addresses, 'k1:x'),
      logFormat: 'json',
      dataFolder: '/data',
      runFile: '/data/run.json',
      isTakenOver: (name) => name === 'content',
    });
    return { addresses, planned };
  };

  it('include an embedded server for each address that is not set', async () => {
    const { addresses, planned } = await plan({ MONGODB_URL: 'mongodb://db:27017', PORT: '8081' });
    const servers = planned.servers?.environment() ?? {};
    expect(servers['EMBEDDED_MONGODB_PORT']).toBeUndefined();
    expect(servers['SECRET_KEYS']).toBeUndefined();
    expect(addresses.servers.MONGODB_URL).toBe('mongodb://db:27017');
    const { EMBEDDED_NATS_PORT: nats, EMBEDDED_EVENTSTORE_PORT: eventstore } = servers;
    expect(addresses.servers.NATS_URL).toBe(`nats://scriptorium:${passwords.nats}@127.0.0.1:${nats}`);
    expect(addresses.servers.EVENTSTORE_URL).toBe(
      `esdb://scriptorium:${passwords.eventstore}@127.0.0.1:${eventstore}?tls=false`,
    );
    expect(addresses.publicUrl).toBe('http://127.0.0.1:8081');
  });

  it('get the addresses of the servers that they use, and no others', async () => {
    const { planned } = await plan({});
    const ways = (environment: NodeJS.ProcessEnv = {}) =>
      Object.entries(environment).flatMap(([name, value]) => (/_URL$/.test(name) && value !== undefined ? [name] : []));
    expect(ways(planned.services[0]?.environment())).toEqual(
      expect.arrayContaining(['EVENTSTORE_URL', 'MONGODB_URL', 'NATS_URL']),
    );
    expect(ways(planned.gateway.environment())).toEqual(['NATS_URL', 'PUBLIC_URL']);
    expect(ways(planned.servers?.environment())).toEqual(['PUBLIC_URL']);
  });

  it('serve files from a port behind that of the gateway, or from the one that is set', async () => {
    const { addresses, planned } = await plan({ PORT: '28431', FILES_S3_SECRET_ACCESS_KEY: 'secret' });
    const { port, origin } = addresses.files;
    expect(port > 28_431 && port <= 28_451).toBe(true);
    expect(planned.gateway.environment()).toMatchObject({ CONTENT_PORT: String(port), CONTENT_ORIGIN: origin });
    expect(planned.services[0]?.environment()).toMatchObject({ CONTENT_ORIGIN: `http://127.0.0.1:${port}` });
    expect(planned.gateway.environment()['FILES_S3_SECRET_ACCESS_KEY']).toBeUndefined();
    const given = await plan({ CONTENT_PORT: '28499', CONTENT_ORIGIN: 'https://files.example.com/' });
    expect(given.addresses.files).toEqual({ port: 28_499, origin: 'https://files.example.com' });
  });

  it('have integrations answer at another port, or at the one that is set', async () => {
    const { addresses, planned } = await plan({ PORT: '28431' });
    const { port, origin } = addresses.endpoints;
    expect(port > 28_431 && port <= 28_451 && port !== addresses.files.port).toBe(true);
    expect(origin).toBe(`http://*.integrations.localhost:${port}`);
    expect(planned.gateway.environment()).toMatchObject({
      INTEGRATIONS_PORT: String(port),
      INTEGRATIONS_ORIGIN: origin,
    });
    expect(planned.services[0]?.environment()).toMatchObject({ INTEGRATIONS_ORIGIN: origin });
    const set = { INTEGRATIONS_PORT: '28498', INTEGRATIONS_ORIGIN: 'https://*.run.example.com/' };
    expect((await plan(set)).addresses.endpoints).toEqual({ port: 28_498, origin: 'https://*.run.example.com' });
  });

  it('include no embedded server when all addresses are set', async () => {
    const { planned } = await plan({
      MONGODB_URL: 'mongodb://db:27017',
      NATS_URL: 'nats://nats:4222',
      EVENTSTORE_URL: 'esdb://es:2113?tls=false',
    });
    expect(planned.servers).toBeUndefined();
  });

  it('include one process for all services that no developer runs, and each process has a free admin port', async () => {
    const { planned } = await plan({});
    expect(planned.services.map(({ name }) => name)).toEqual(['services']);
    const environment = planned.services[0]?.environment() ?? {};
    expect(environment).toMatchObject({ SERVICES: 'identity', SECRET_KEYS: 'k1:x', LANG: 'C', LOG_FORMAT: 'json' });
    const ports = [planned.servers, planned.gateway, ...planned.services].map((each) =>
      Number(each?.environment()['ADMIN_PORT']),
    );
    expect(new Set(ports).size).toBe(3);
    expect(Math.min(...ports)).toBeGreaterThan(9100);
  });

  it('include one process for each service with --isolated', async () => {
    const { planned } = await plan({}, true);
    expect(planned.services.map(({ name }) => name)).toEqual(['content', 'identity']);
  });

  it('include the reader, which gets no keys and no addresses of servers, where sites are shown', async () => {
    const services = ['content', 'identity', 'sites'];
    const names = (all: readonly { name: string }[]) => all.map(({ name }) => name);
    const { addresses, planned } = await plan({ PORT: '0', EVENTSTORE_URL: 'esdb://es:2113' }, false, services);
    expect(names(planned.services)).toEqual(['services', 'reader']);
    const environment = planned.services[1]?.environment() ?? {};
    expect(environment).toMatchObject({
      READER_API_URL: addresses.gateway.url,
      CONTENT_ORIGIN: addresses.files.origin,
    });
    for (const name of ['SECRET_KEYS', 'NATS_URL', 'EVENTSTORE_URL', 'MONGODB_URL'])
      expect(environment[name]).toBeUndefined();
    expect(planned.gateway.environment()['SITE_READER_URL']).toBe(`http://127.0.0.1:${environment['READER_PORT']}`);
    const off = await plan({ SITE_READER: 'off' }, true, services);
    expect(names(off.planned.services)).toEqual(services);
    expect(off.planned.gateway.environment()['SITE_READER_URL']).toBeUndefined();
  });

  it('include the runtime of scripts in the process of the services, or in one of its own without keys', async () => {
    const services = ['identity', 'integrations'];
    const { addresses, planned } = await plan({}, false, services);
    const [host] = planned.services.map(({ environment }) => environment());
    expect(host).toMatchObject({
      SERVICES: 'identity,integrations,runtime',
      RUNTIME_URL: addresses.runtime?.url,
      RUNTIME_API_URL: addresses.gateway.url,
      RUNTIME_API_ORIGIN: addresses.publicUrl,
    });
    expect(host?.['RUNTIME_KEY']).toMatch(/^[\w-]{43}$/);
    expect(planned.gateway.environment()['RUNTIME_KEY']).toBeUndefined();
    const alone = await plan({}, true, services);
    expect(alone.planned.services.map(({ name }) => name)).toEqual(['identity', 'integrations', 'runtime']);
    const environment = alone.planned.services[2]?.environment() ?? {};
    expect(environment['RUNTIME_KEY']).toBe(alone.addresses.runtime?.key);
    for (const name of ['SECRET_KEYS', 'NATS_URL', 'EVENTSTORE_URL', 'MONGODB_URL'])
      expect(environment[name]).toBeUndefined();
  });

  it('include no runtime of scripts when there is one elsewhere, none, or nobody who calls it', async () => {
    const services = ['identity', 'integrations'];
    const key = 'k'.repeat(32);
    const elsewhere = await plan({ RUNTIME_URL: 'https://scripts.example.com/', RUNTIME_KEY: key }, true, services);
    expect(elsewhere.planned.services.map(({ name }) => name)).toEqual(services);
    const environment = elsewhere.planned.services[1]?.environment();
    expect(environment).toMatchObject({ RUNTIME_URL: 'https://scripts.example.com', RUNTIME_KEY: key });
    const off = await plan({ RUNTIME: 'off' }, false, services);
    expect(off.planned.services[0]?.environment()).toMatchObject({ SERVICES: 'identity,integrations' });
    expect(off.planned.services[0]?.environment()['RUNTIME_URL']).toBeUndefined();
    const others = await plan({}, false, ['identity']);
    expect(others.planned.services[0]?.environment()).toMatchObject({ SERVICES: 'identity' });
    await expect(plan({ RUNTIME_URL: 'https://scripts.example.com' }, true, services)).rejects.toThrow(
      'RUNTIME_KEY is not set, and RUNTIME_URL is',
    );
  });

  it('publish sites where the reader shows them, unless they are published elsewhere', async () => {
    const services = ['content', 'identity', 'sites'];
    const origin = async (environment: Record<string, string>) => {
      const { addresses, planned } = await plan(environment, false, services);
      return [planned.services[0]?.environment()['SITES_ORIGIN'], addresses.files.origin];
    };
    const [byDefault, files] = await origin({});
    expect(byDefault).toBe(files);
    expect((await origin({ PUBLISH_DOMAIN: 'docs.example.com' }))[0]).toBeUndefined();
    expect((await origin({ SITE_READER: 'off' }))[0]).toBeUndefined();
    const both = { PUBLISH_DOMAIN: 'docs.example.com', SITES_ORIGIN: 'https://sites.example.com/' };
    expect((await origin(both))[0]).toBe('https://sites.example.com');
  });

  it('get a free port for the gateway when it is 0, and an IPv6 address in the form of URLs', async () => {
    expect((await plan({ PORT: '8081', HOST: '::1' })).addresses.gateway.url).toBe('http://[::1]:8081');
    const { addresses, planned } = await plan({ PORT: '0' });
    expect(addresses.gateway.port).toBeGreaterThan(0);
    expect(planned.gateway.environment()['PORT']).toBe(String(addresses.gateway.port));
    expect((await plan({ PUBLIC_URL: 'https://docs.example.com/' })).addresses.publicUrl).toBe(
      'https://docs.example.com',
    );
  });
});
