import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { services } from '@scriptorium/contracts';
import { gatewaySettings } from '@scriptorium/gateway/config';
import { readerSettings } from '@scriptorium/reader/settings';
import { parseConfig, serviceSettings } from '@scriptorium/platform/config';
import type * as z from 'zod';
import { parse, parseAllDocuments } from 'yaml';
import { appsFolder, installedServices, settingsOf } from './apps.js';

const root = new URL('../../../', import.meta.url);
const text = (name: string) => readFileSync(new URL(name, root), 'utf8');

interface Variable {
  name: string;
  value?: string;
  valueFrom?: { secretKeyRef?: { name: string; key: string; optional?: boolean }; fieldRef?: object };
}
interface Container {
  name: string;
  image: string;
  env: Variable[];
  securityContext: object;
}
interface Manifest {
  kind: string;
  metadata: { name: string };
  spec: {
    template: { spec: { containers: Container[]; securityContext: object; automountServiceAccountToken: boolean } };
    scaleTargetRef: { name: string };
    metrics: { pods: { metric: { name: string } } }[];
    egress: { ports: { port: number | string }[] }[];
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

  it('have all other apps with a process of their own as those that people reach', () => {
    expect(Object.keys(values.httpApps).sort()).toEqual(
      apps.filter((name) => !installedServices().includes(name)).sort(),
    );
  });
});

describe.each(made)('what the chart makes of %s values', (_name, manifests) => {
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
      const clients: Record<string, Record<string, z.ZodType>> = { gateway: gatewaySettings, reader: readerSettings };
      const settings = clients[name] ?? { ...serviceSettings, ...(await settingsOf(name)) };
      const given = container.env.filter(({ name: variable }) => variable !== 'POD_IP');
      for (const { name: variable } of given)
        expect([name, [...Object.keys(settings), ...everywhere]]).toEqual([name, expect.arrayContaining([variable])]);
      const needed = {
        SECRET_KEYS: `k1:${Buffer.alloc(32).toString('base64')}`,
        EVENTSTORE_URL: 'esdb://x',
        MONGODB_URL: 'mongodb://x',
        NATS_URL: 'nats://x',
      };
      const valueOf = ({ name: variable, value, valueFrom }: Variable) =>
        valueFrom === undefined ? value?.replace('$(POD_IP)', '10.0.0.1') : needed[variable as keyof typeof needed];
      expect(() =>
        parseConfig(settings, Object.fromEntries(given.map((each) => [each.name, valueOf(each)]))),
      ).not.toThrow();
    }
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
        nameOf(policy) !== 'reader',
        isService,
        isService,
      ]);
      const others = [...ports].filter((port) => port !== traces);
      if (nameOf(policy) === 'gateway') expect(others).toEqual([53, 4222, 'sites', 'files']);
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

  it('scales by metrics that the example of an adapter gives, each deployment by its own', () => {
    const adapter = text('infra/observability/prometheus-adapter.yml');
    for (const { spec } of of('HorizontalPodAutoscaler')) {
      expect(of('Deployment').map(({ metadata }) => metadata.name)).toContain(spec.scaleTargetRef.name);
      for (const { pods } of spec.metrics) expect(adapter).toContain(`as: ${pods.metric.name}`);
    }
  });
});
