import { readFileSync, readdirSync } from 'node:fs';
import { Ajv } from 'ajv';

const schemas = new URL('../../../../infra/helm/schemas/', import.meta.url);

export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
}
interface Schemas {
  kinds: Record<string, string>;
  definitions: object;
}

/** The minors of Kubernetes whose schemas are there. */
export const minors = readdirSync(schemas).map((name) => name.replace(/\.json$/, ''));

/** What is wrong with a manifest, by the schemas of that minor of Kubernetes. */
export function validator(minor: string) {
  const { kinds, definitions } = JSON.parse(readFileSync(new URL(`${minor}.json`, schemas), 'utf8')) as Schemas;
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
