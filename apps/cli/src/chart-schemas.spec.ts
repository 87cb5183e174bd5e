import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { parseAllDocuments } from 'yaml';
import { minors, validator, type Manifest } from './test/kubernetes-schemas.js';

const helm = new URL('../../../infra/helm/', import.meta.url);
const text = (name: string) => readFileSync(new URL(name, helm), 'utf8');

const golden = ['small', 'full'].flatMap((name) =>
  parseAllDocuments(text(`golden/${name}.yaml`))
    .map((document) => document.toJS() as Manifest | null)
    .filter((manifest) => manifest !== null),
);

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
