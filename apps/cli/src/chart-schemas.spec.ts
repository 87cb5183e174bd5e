import { readFileSync, readdirSync } from 'node:fs';
import { Ajv } from 'ajv';
import { describe, expect, it } from '@jest/globals';
import { parseAllDocuments } from 'yaml';

const helm = new URL('../../../infra/helm/', import.meta.url);
const text = (name: string) => readFileSync(new URL(name, helm), 'utf8');

interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
}
interface Schemas {
  kinds: Record<string, string>;
  definitions: object;
}

const minors = readdirSync(new URL('schemas/', helm)).map((name) => name.replace(/\.json$/, ''));
const golden = ['small', 'full'].flatMap((name) =>
  parseAllDocuments(text(`golden/${name}.yaml`))
    .map((document) => document.toJS() as Manifest | null)
    .filter((manifest) => manifest !== null),
);

/** What is wrong with a manifest, by the schemas of that minor. */
function validator(minor: string) {
  const { kinds, definitions } = JSON.parse(text(`schemas/${minor}.json`)) as Schemas;
  const ajv = new Ajv({ strict: false, allErrors: true, keywords: [listMapKeys] });
  ajv.addSchema({ $id: 'kubernetes', definitions });
  return ({ apiVersion, kind, ...rest }: Manifest) => {
    const name = kinds[`${apiVersion} ${kind}`];
    if (name === undefined) return [`no schema of ${apiVersion} ${kind}`];
    ajv.validate(`kubernetes#/definitions/${name}`, { apiVersion, kind, ...rest });
    return (ajv.errors ?? []).map(({ instancePath, message, params }) =>
      [rest.metadata.name, instancePath, message, JSON.stringify(params)].join(' '),
    );
  };
}

/** Lists whose items are known by some of their fields: a server that merges them refuses the same item twice. */
const listMapKeys = {
  keyword: 'x-kubernetes-list-map-keys',
  type: 'array',
  validate: (keys: string[], items: Record<string, unknown>[]) => {
    const known = items.map((item) => JSON.stringify(keys.map((key) => item[key] ?? null)));
    return new Set(known).size === known.length;
  },
} as const;

describe.each(minors)('what the chart makes, by the schemas of Kubernetes %s,', (minor) => {
  const errorsOf = validator(minor);
  const deployment = golden.find(({ kind }) => kind === 'Deployment');

  it('has no field that is unknown, of another type, or missing', () => {
    expect(golden.length).toBeGreaterThan(40);
    expect(golden.flatMap(errorsOf)).toEqual([]);
  });

  it.each([
    ['an unknown field', (spec: Record<string, unknown>) => (spec.replica = 2), 'additional'],
    ['a value of another type', (spec: Record<string, unknown>) => (spec.replicas = '2'), 'integer'],
    ['a missing field', (spec: Record<string, unknown>) => delete spec.selector, 'selector'],
  ])('would be refused with %s', (_what, change, reason) => {
    const changed = structuredClone(deployment) as Manifest & { spec: Record<string, unknown> };
    change(changed.spec);
    expect(errorsOf(changed).join('\n')).toContain(reason);
  });

  it('would be refused with a port that is there twice', () => {
    const changed = structuredClone(deployment) as Manifest & {
      spec: { template: { spec: { containers: { ports: object[] }[] } } };
    };
    const [container] = changed.spec.template.spec.containers;
    container?.ports.push(structuredClone(container.ports[0] as object));
    expect(errorsOf(changed).join('\n')).toContain('x-kubernetes-list-map-keys');
  });
});

describe('the schemas of Kubernetes', () => {
  it('begin with the oldest minor that the chart allows', () => {
    const [, oldest] = /kubeVersion: '>=1\.(\d+)\./.exec(text('scriptorium/Chart.yaml')) ?? [];
    expect(Math.min(...minors.map((minor) => Number(minor.split('.')[1])))).toBe(Number(oldest));
  });
});
