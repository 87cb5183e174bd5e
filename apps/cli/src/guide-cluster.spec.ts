import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { Ajv } from 'ajv';
import { parse, parseAllDocuments } from 'yaml';
import { blocksOf } from './test/guide.js';
import { minors, validator, type Manifest } from './test/kubernetes-schemas.js';

const root = new URL('../../../', import.meta.url);
const text = (name: string) => readFileSync(new URL(name, root), 'utf8');
const page = text('docs/guides/kubernetes-cluster.md');
const commands = blocksOf(page)
  .filter(({ language }) => language === 'sh')
  .map(({ lines }) => lines.join('\n'))
  .join('\n');
/** A file that the guide writes. */
const written = (name: string) => new RegExp(`^cat > ${name} <<'END'\n([^]*?)^END$`, 'm').exec(commands)?.[1] ?? '';
const stores = parseAllDocuments(written('stores.yaml')).map((document) => document.toJS() as Manifest);
const own = parse(written('docs.values.yaml')) as Record<string, unknown>;
const chart = parse(text('infra/helm/scriptorium/values.yaml')) as Record<string, unknown>;
const { appVersion } = parse(text('infra/helm/scriptorium/Chart.yaml')) as { appVersion: string };
const full = text('infra/helm/golden/full.yaml');
const small = text('infra/helm/golden/small.yaml');

/** The names of values, with dots between them; what stands in lists is not the chart's. */
function namesIn(value: unknown, path: readonly string[] = []): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [path.join('.')];
  return Object.entries(value).flatMap(([name, inside]) => namesIn(inside, [...path, name]));
}

const isValue = (name: string): boolean =>
  name.split('.').reduce<unknown>((found, part) => (found as Record<string, unknown> | undefined)?.[part], chart) !==
  undefined;

describe('the guide to a cluster', () => {
  it('gives the chart values that it has, and that its schema allows', () => {
    const set = [...commands.matchAll(/--set ([\w.]+)=/g)].map(([, name = '']) => name);
    const told = [...page.matchAll(/`((?:service|http|runtime|ingress|image|serviceMonitor)\.\w+)`/g)].map(
      ([, name = '']) => name,
    );
    expect([set.length, told.length].every((count) => count > 1)).toBe(true);
    for (const name of [...namesIn(own), ...set, ...told]) expect([name, isValue(name)]).toEqual([name, true]);
    const ajv = new Ajv({ strict: false });
    const schema = JSON.parse(text('infra/helm/scriptorium/values.schema.json')) as object;
    expect([ajv.validate(schema, { ...chart, ...own }), ajv.errors]).toEqual([true, null]);
  });

  it('makes the secrets that the chart reads, with the keys that it has to have', () => {
    const secrets = [...commands.matchAll(/create secret generic (\S+) ((?:\\\n|[^\n])*)/g)];
    const made = new Map(
      secrets.map(([, name = '', rest = '']) => [
        name,
        [...rest.matchAll(/--from-literal=([\w-]+)=/g)].map(([, key]) => key),
      ]),
    );
    const references = small.matchAll(/secretKeyRef:\n +name: (\S+)\n +key: (\S+)\n( +optional: true)?/g);
    const read = [...references].filter(([, , , optional]) => optional === undefined);
    const needed = (name: string) => new Set(read.filter(([, of]) => of === name).map(([, , key]) => key));
    for (const name of ['scriptorium', 'scriptorium-runtime']) {
      expect(needed(name).size).toBeGreaterThan(0);
      expect([name, made.get(name)]).toEqual([name, expect.arrayContaining([...needed(name)])]);
    }
  });

  it.each(minors)(
    'runs servers whose manifests Kubernetes %s takes, under the names that the addresses have',
    (minor) => {
      const errorsOf = validator(minor);
      expect(stores.flatMap(errorsOf)).toEqual([]);
      const services = stores.filter(({ kind }) => kind === 'Service').map(({ metadata }) => metadata.name);
      const named = [...commands.matchAll(/(?:esdb|mongodb|nats):\/\/(?:[^@\s]*@)?([\w-]+):\d+/g)].map(
        ([, name]) => name,
      );
      expect([...services].sort()).toEqual(named.sort());
      expect(namesIn(own).filter((name) => name.endsWith('.peers'))).toHaveLength(services.length);
      const compose = text('docker-compose.yml');
      for (const [, image] of written('stores.yaml').matchAll(/image: (\S+)/g))
        expect(compose).toContain(`image: ${image}`);
    },
  );

  it('names images, objects and ports as the chart makes them', () => {
    const tags = [...commands.matchAll(/(?:BUILD=|scriptorium\/\$app:)([\d.]+)/g)].map(([, tag]) => tag);
    expect(new Set(tags)).toEqual(new Set([appVersion]));
    const apps = /for app in ([\w ]+);/.exec(commands)?.[1]?.split(' ');
    expect(text('infra/docker/bake.hcl')).toContain(`["${(apps ?? []).join('", "')}"]`);
    const objects = [...commands.matchAll(/\b(job|service)\/([\w-]+)/g)].map(([, kind, name]) => `${kind} ${name}`);
    expect(new Set(objects)).toEqual(new Set(['job docs-scriptorium-bootstrap', 'service docs-scriptorium-gateway']));
    const made = parseAllDocuments(full).map((document) => document.toJS() as Manifest & { spec: { ports?: unknown } });
    const find = (kind: string, name: string) => made.find((one) => one.kind === kind && one.metadata.name === name);
    expect(find('Job', 'docs-scriptorium-bootstrap')).toBeDefined();
    const ports = find('Service', 'docs-scriptorium-gateway')?.spec.ports as { name: string }[];
    for (const [, name] of commands.matchAll(/\b80\d\d:(\w+)/g)) expect(ports.map((port) => port.name)).toContain(name);
  });
});
