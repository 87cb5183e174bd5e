import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { services } from '@scriptorium/contracts';
import { gatewaySettings } from '@scriptorium/gateway/config';
import { readerSettings } from '@scriptorium/reader/settings';
import { settings as runtimeSettings } from '@scriptorium/runtime/settings';
import { parseConfig, serviceSettings } from '@scriptorium/platform/config';
import type * as z from 'zod';
import { parse, parseAllDocuments } from 'yaml';
import { appsFolder, installedServices, settingsOf } from './apps.js';

const root = new URL('../../../', import.meta.url);
const text = (name: string) => readFileSync(new URL(name, root), 'utf8');

interface Variable {
  name: string;
  value?: string;
  valueFrom?: {
    secretKeyRef?: { name: string; key: string; optional?: boolean };
    fieldRef?: object;
    resourceFieldRef?: { resource: string };
  };
}
interface Container {
  name: string;
  image: string;
  env: Variable[];
  resources: { limits: { cpu?: number | string } };
  securityContext: object;
}
interface Manifest {
  kind: string;
  metadata: { name: string };
  spec: {
    progressDeadlineSeconds: number;
    rules: { host: string }[];
    endpoints: { relabelings: { action?: string; regex?: string; targetLabel?: string }[] }[];
    template: {
      spec: {
        containers: Container[];
        securityContext: object;
        automountServiceAccountToken: boolean;
        runtimeClassName?: string;
        volumes: { name: string; emptyDir?: { medium?: string } }[];
      };
    };
    clusterIP?: string;
    scaleTargetRef: { name: string };
    metrics: { pods?: { metric: { name: string } }; resource?: { name: string } }[];
    egress: { ports: { port: number | string }[]; to?: object[] }[];
    ingress: { ports: { port: number | string }[]; from?: { podSelector?: { matchLabels: object } }[] }[];
  };
}

const values = parse(text('infra/helm/scriptorium/values.yaml')) as {
  services: Record<string, { secrets: Record<string, string>; data: boolean; files: boolean }>;
  httpApps: Record<string, { ports: Record<string, number> }>;
};
const golden = (name: string) =>
  parseAllDocuments(text(`infra/helm/golden/${name}.yaml`)).map((document) => document.toJS() as Manifest);
const made = ['small', 'full'].map((name) => [name, golden(name).filter(Boolean)] as const);
const nameOf = (manifest: Manifest) => manifest.metadata.name.replace(/^docs-scriptorium-/, '');
/** The port for traces in `full.values.yaml`. */
const traces = 4318;
/** Settings of `full.values.yaml` that every app gets; the reader makes no traces. */
const everywhere = ['OTEL_EXPORTER_OTLP_ENDPOINT'];
/** Settings of apps that are no services. */
const ownSettings: Record<string, Record<string, z.ZodType>> = {
  gateway: gatewaySettings,
  reader: readerSettings,
  runtime: runtimeSettings,
};
/** Apps with a process of their own. */
const apps = readdirSync(appsFolder).filter(
  (name) => existsSync(`${appsFolder}/${name}/src/main.ts`) && name !== 'cli',
);

describe('the values of the chart', () => {
  it('have all services of the product, with the secrets and volumes that their settings ask for', async () => {
    expect(Object.keys(values.services)).toEqual(services.map(({ name }) => name));
    for (const [name, { secrets, data, files }] of Object.entries(values.services)) {
      const settings = await settingsOf(name);
      for (const secret of Object.keys(secrets)) expect(Object.keys(settings)).toContain(secret);
      expect([data, files]).toEqual(['DATA_DIR' in settings, 'FILES_PORT' in settings]);
    }
  });

  it('have all other apps with a process of their own as those that people reach, but the runtime', () => {
    expect([...Object.keys(values.httpApps), 'runtime'].sort()).toEqual(
      apps.filter((name) => !installedServices().includes(name)).sort(),
    );
  });
});

describe.each(made)('what the chart makes of %s values', (valuesName, manifests) => {
  const of = (kind: string) => manifests.filter((manifest) => manifest.kind === kind);
  const deployments = of('Deployment').map((manifest) => ({
    name: nameOf(manifest),
    pod: manifest.spec.template.spec,
    container: manifest.spec.template.spec.containers[0] as Container,
  }));

  it('is a deployment, a budget and a network policy for each app', () => {
    for (const kind of ['Deployment', 'PodDisruptionBudget', 'NetworkPolicy'])
      expect(of(kind).map(nameOf).sort()).toEqual([...apps].sort());
  });

  it('gives each app settings that it has, and all that it needs', async () => {
    for (const { name, container } of deployments) {
      const settings = ownSettings[name] ?? { ...serviceSettings, ...(await settingsOf(name)) };
      const given = container.env.filter(({ name: variable }) => variable !== 'POD_IP');
      for (const { name: variable } of given)
        expect([name, [...Object.keys(settings), ...everywhere]]).toEqual([name, expect.arrayContaining([variable])]);
      const needed = {
        SECRET_KEYS: `k1:${Buffer.alloc(32).toString('base64')}`,
        EVENTSTORE_URL: 'esdb://x',
        MONGODB_URL: 'mongodb://x',
        NATS_URL: 'nats://x',
        RUNTIME_KEY: 'k'.repeat(32),
      };
      const valueOf = ({ name: variable, value, valueFrom }: Variable) => {
        if (valueFrom?.resourceFieldRef !== undefined) return '2';
        return valueFrom === undefined
          ? value?.replace('$(POD_IP)', '10.0.0.1')
          : needed[variable as keyof typeof needed];
      };
      expect(() =>
        parseConfig(settings, Object.fromEntries(given.map((each) => [each.name, valueOf(each)]))),
      ).not.toThrow();
    }
  });

  it('tells the gateway, the services and the reader of one application', () => {
    const valueIn = (name: string, variable: string) =>
      deployments.find((one) => one.name === name)?.container.env.find((one) => one.name === variable)?.value;
    const app = valuesName === 'full' ? 'https://docs-app.example.com' : undefined;
    for (const name of ['gateway', ...installedServices()])
      expect([name, valueIn(name, 'APP_URL')]).toEqual([name, app]);
    expect(valueIn('reader', 'READER_APP_URL')).toBe(app ?? valueIn('gateway', 'PUBLIC_URL'));
  });

  it('takes secrets from the Secret alone, and stores only in services', () => {
    for (const { name, container } of deployments) {
      const stores = container.env.filter(({ name: variable }) => /^(EVENTSTORE|MONGODB)_URL$/.test(variable));
      expect([name, stores.length]).toEqual([name, installedServices().includes(name) ? 2 : 0]);
      for (const { name: variable, valueFrom } of container.env)
        if (/SECRET|_KEY|(EVENTSTORE|MONGODB|NATS|SMTP)_URL/.test(variable))
          expect([variable, valueFrom?.secretKeyRef?.key]).toEqual([variable, expect.any(String)]);
    }
  });

  it('lets the gateway connect to NATS, the reader and services with files alone, the reader to the gateway alone, and services to the stores', () => {
    for (const policy of of('NetworkPolicy')) {
      const ports = new Set(policy.spec.egress.flatMap((rule) => rule.ports.map(({ port }) => port)));
      const isService = installedServices().includes(nameOf(policy));
      expect([nameOf(policy), ports.has(4222), ports.has(2113), ports.has(27017)]).toEqual([
        nameOf(policy),
        !['reader', 'runtime'].includes(nameOf(policy)),
        isService,
        isService,
      ]);
      const others = [...ports].filter((port) => port !== traces);
      if (nameOf(policy) === 'gateway') expect(others).toEqual([53, 4222, 'sites', 'files', 'endpoints']);
      if (nameOf(policy) === 'reader') expect(others).toEqual([53, 'api']);
    }
  });

  it('runs everything without privileges, on a read-only file system, unable to ask Kubernetes anything', () => {
    const pods = [...of('Deployment'), ...of('Job')].map(({ spec }) => spec.template.spec);
    for (const { containers, securityContext, automountServiceAccountToken } of pods) {
      expect(securityContext).toMatchObject({
        runAsNonRoot: true,
        runAsUser: 65532,
        seccompProfile: { type: 'RuntimeDefault' },
      });
      expect(automountServiceAccountToken).toBe(false);
      for (const container of containers)
        expect(container.securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
    }
  });

  it('scales services by requests and by the lag of read models, the gateway by requests, the reader and the runtime by their CPU', () => {
    const adapter = text('infra/observability/prometheus-adapter.yml');
    const requests = 'scriptorium_requests_per_second';
    const scaledBy: Record<string, string[]> = { gateway: [requests], reader: ['cpu'], runtime: ['cpu'] };
    const ofServices = [requests, 'scriptorium_projection_lag_seconds'];
    for (const scaler of of('HorizontalPodAutoscaler')) {
      expect(of('Deployment').map(({ metadata }) => metadata.name)).toContain(scaler.spec.scaleTargetRef.name);
      const metrics = scaler.spec.metrics.map(({ pods, resource }) => pods?.metric.name ?? resource?.name);
      expect([nameOf(scaler), metrics]).toEqual([nameOf(scaler), scaledBy[nameOf(scaler)] ?? ofServices]);
      for (const { pods } of scaler.spec.metrics) if (pods) expect(adapter).toContain(`as: ${pods.metric.name}`);
    }
  });

  it('lets the reader ask the gateway under the name that it uses, at ports that both listen on', () => {
    const settingsOfApp = (app: string) => {
      const { env = [] } = deployments.find(({ name }) => name === app)?.container ?? {};
      return Object.fromEntries(env.map(({ name, value }) => [name, value]));
    };
    const [gateway, reader] = [settingsOfApp('gateway'), settingsOfApp('reader')];
    const [api, site] = [new URL(reader.READER_API_URL ?? ''), new URL(gateway.SITE_READER_URL ?? '')];
    expect(gateway.ALLOWED_HOSTS?.split(',')).toContain(api.hostname);
    expect([api.port, site.port]).toEqual([gateway.PORT, reader.READER_PORT]);
    const named = of('Service').map(({ metadata }) => metadata.name);
    expect(named).toEqual(expect.arrayContaining([api.hostname, site.hostname]));
  });

  it('gives services and the reader worker threads by their limit of CPU, and never by the processors of the machine', () => {
    const withWorkers = [...installedServices(), 'reader'];
    for (const { name, container } of deployments.filter((each) => withWorkers.includes(each.name))) {
      const threads = container.env.find((variable) => variable.name === 'WORKER_THREADS');
      const byLimit = { name: 'WORKER_THREADS', valueFrom: { resourceFieldRef: { resource: 'limits.cpu' } } };
      const expected = container.resources.limits.cpu === undefined ? { name: 'WORKER_THREADS', value: '2' } : byLimit;
      expect([name, threads]).toEqual([name, expected]);
    }
  });

  it('gives the runtime one key, which integrations have, too, no address of a server, and memory to write to', () => {
    const keyIn = ({ container }: { container: Container }) =>
      container.env.find(({ name }) => name === 'RUNTIME_KEY')?.valueFrom?.secretKeyRef;
    const callers = deployments.filter((one) => keyIn(one) !== undefined);
    expect(callers.map(({ name }) => name).sort()).toEqual(['integrations', 'runtime']);
    expect(new Set(callers.map((one) => JSON.stringify(keyIn(one)))).size).toBe(1);
    const [runtime] = deployments.filter(({ name }) => name === 'runtime');
    const secrets = runtime?.container.env.filter(({ valueFrom }) => valueFrom !== undefined) ?? [];
    expect(secrets).toMatchObject([{ name: 'RUNTIME_KEY', valueFrom: { secretKeyRef: { key: 'runtime-key' } } }]);
    const others = deployments.flatMap(({ container }) =>
      container.env.map(({ valueFrom }) => valueFrom?.secretKeyRef),
    );
    expect(others.filter((one) => one?.name === secrets[0]?.valueFrom?.secretKeyRef?.name)).toHaveLength(2);
    expect(runtime?.pod.volumes).toEqual([{ name: 'tmp', emptyDir: { medium: 'Memory', sizeLimit: '512Mi' } }]);
    expect(runtime?.pod.runtimeClassName).toBe(valuesName === 'full' ? 'gvisor' : undefined);
    expect(of('Service').find((one) => nameOf(one) === 'runtime')?.spec.clusterIP).toBe('None');
  });

  it('lets integrations alone call the runtime, and the runtime reach the gateway and public addresses', () => {
    const [policy] = of('NetworkPolicy').filter((one) => nameOf(one) === 'runtime');
    const called = policy?.spec.ingress.filter(({ ports }) => ports.some(({ port }) => port !== 'admin'));
    const integrations = { podSelector: { matchLabels: { 'app.kubernetes.io/component': 'integrations' } } };
    expect(called).toMatchObject([{ ports: [{ port: 'calls' }], from: [integrations] }]);
    const egress = policy?.spec.egress ?? [];
    const outside = JSON.stringify(egress.map(({ to }) => to));
    for (const network of ['10.0.0.0/8', '169.254.0.0/16', '127.0.0.0/8', 'fc00::/7'])
      expect(outside).toContain(network);
    const anywhere = egress.filter(({ to }) => to === undefined).flatMap(({ ports }) => ports.map(({ port }) => port));
    expect(anywhere.filter((port) => port !== 53 && port !== traces)).toEqual([]);
  });

  it('has the runtime reach the API under a name that the gateway allows', () => {
    const env = (app: string) => deployments.find(({ name }) => name === app)?.container.env ?? [];
    const valueIn = (app: string, variable: string) => env(app).find(({ name }) => name === variable)?.value ?? '';
    expect(new URL(valueIn('runtime', 'RUNTIME_API_URL')).port).toBe(valueIn('gateway', 'PORT'));
    expect(valueIn('runtime', 'RUNTIME_API_ORIGIN')).toBe(valueIn('gateway', 'PUBLIC_URL'));
    const called = new URL(valueIn('integrations', 'RUNTIME_URL'));
    expect(of('Service').map(({ metadata }) => metadata.name)).toContain(called.hostname);
    expect(called.port).toBe(valueIn('runtime', 'RUNTIME_PORT'));
  });

  it('writes numbers as people do', () => {
    for (const { value = '' } of deployments.flatMap(({ container }) => container.env)) {
      expect(value).not.toMatch(/^\d(\.\d+)?e\+\d+$/);
    }
  });

  it('waits longer for a replica to become ready than Kubernetes does by itself, and than it may take to start', () => {
    for (const { spec } of of('Deployment')) expect(spec.progressDeadlineSeconds).toBeGreaterThan(600);
  });

  it('has names of its own for all objects of a kind', () => {
    const names = manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    expect(new Set(names).size).toBe(names.length);
  });
});

describe('what the chart makes of full values', () => {
  const [, manifests = []] = made[1] ?? [];
  const of = (kind: string) => manifests.filter((manifest) => manifest.kind === kind);

  it('leads all hosts to their apps, several to one app by one object', () => {
    expect(of('Ingress').map((ingress) => [nameOf(ingress), ingress.spec.rules.map(({ host }) => host)])).toEqual([
      ['gateway-api', ['docs-api.example.com', 'docs-api.example.org']],
      ['gateway-files', ['files.example.com']],
      ['reader-sites', ['docs.example.com']],
    ]);
  });

  it('leaves the label `service` to the metrics, which alerts and dashboards select by', () => {
    const [monitor] = of('ServiceMonitor');
    const relabelings = monitor?.spec.endpoints.flatMap((endpoint) => endpoint.relabelings);
    expect(relabelings).toContainEqual({ action: 'labeldrop', regex: 'service' });
  });

  it('has settings with large numbers, by which the specs above see how they are written', () => {
    const values = of('Deployment').flatMap(({ spec }) => spec.template.spec.containers[0]?.env ?? []);
    expect(values).toContainEqual({ name: 'MAX_BODY_BYTES', value: '134217728' });
  });
});

describe('the page about Kubernetes', () => {
  const page = text('docs/kubernetes.md');
  const settingsFor = async (name: string): Promise<Record<string, z.ZodType>> => {
    return ownSettings[name] ?? { ...serviceSettings, ...(await settingsOf(name)) };
  };

  it('names images by the version of the chart, which is that of the product', () => {
    const { appVersion } = parse(text('infra/helm/scriptorium/Chart.yaml')) as { appVersion: string };
    expect(JSON.parse(text('package.json'))).toMatchObject({ version: appVersion });
    const tags = [...page.matchAll(/(?:\/cli:|\bBUILD=)([\w.]+)/g)].map(([, tag]) => tag);
    expect(tags.length).toBeGreaterThan(2);
    expect(new Set(tags)).toEqual(new Set([appVersion]));
  });

  it('has every process listen on IPv6 by the settings that it names for that', async () => {
    type Named = { settings: Record<string, string> };
    const [, block = ''] = /### IPv6[^]*?```yaml\n([^]*?)```/.exec(page) ?? [];
    type Chart = Named & { services: Record<string, Named>; httpApps: Record<string, Named>; runtime: Named };
    const ipv6 = parse(block) as Chart;
    const others: Record<string, Named> = { ...ipv6.httpApps, runtime: ipv6.runtime };
    for (const name of apps) {
      const own = { ...ipv6.settings, ...(ipv6.services[name] ?? others[name])?.settings };
      const declared = await settingsFor(name);
      const listening = Object.keys(declared).filter((setting) => /^(\w+_)?HOST$/.test(setting));
      const given = Object.keys(own).filter((setting) => !/^(FILES|ENDPOINTS)_URL$/.test(setting));
      expect([name, given.sort()]).toEqual([name, listening.sort()]);
      for (const setting of listening) expect(own[setting]).toBe('::');
      if (own.FILES_URL !== undefined)
        expect(declared.FILES_URL?.parse(own.FILES_URL.replace('$(POD_IP)', 'fd00::1'))).toBe('http://[fd00::1]:8090');
      if (own.ENDPOINTS_URL !== undefined)
        expect(declared.ENDPOINTS_URL?.parse(own.ENDPOINTS_URL.replace('$(POD_IP)', 'fd00::1'))).toBe(
          'http://[fd00::1]:8085',
        );
    }
  });
});
