// JSON schemas of the kinds in the golden files, as Kubernetes publishes them, for the minors below: they refuse fields
// that a server does not know. `--write` makes schemas/*.json anew from Go modules (it needs Go and a proxy of
// modules); `--folder FOLDER` lays them out as kubeconform reads them, FOLDER/<minor>/<kind>-<group>-<version>.json.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const kubernetes = ['v1.29.15', 'v1.34.4', 'v1.37.2'];
const prometheusOperator = 'v0.85.0';

const here = fileURLToPath(new URL('.', import.meta.url));
const read = (path) => JSON.parse(readFileSync(path, 'utf8'));

/** What servers accept for these is more than what their definitions say. */
const open = {
  'io.k8s.apimachinery.pkg.api.resource.Quantity': {
    anyOf: [{ type: 'number' }, { type: 'string', pattern: '^[+-]?[0-9.]+([eE][+-]?[0-9]+|[numkMGTPE]|[KMGTPE]i)?$' }],
  },
  'io.k8s.apimachinery.pkg.util.intstr.IntOrString': { anyOf: [{ type: 'integer' }, { type: 'string' }] },
};

const [command, folder] = process.argv.slice(2);
if (command === '--write') writeAll();
else if (command === '--folder' && folder !== undefined) layOut(folder);
else {
  process.stderr.write('usage: schemas.mjs --write, or schemas.mjs --folder FOLDER\n');
  process.exitCode = 1;
}

function writeAll() {
  const monitor = monitorSchema();
  for (const version of kubernetes) {
    const minor = /^v(\d+\.\d+)\./.exec(version)[1];
    const swagger = read(join(moduleFolder(`k8s.io/kubernetes@${version}`), 'api/openapi-spec/swagger.json'));
    const made = schemaOf({ ...swagger.definitions, ServiceMonitor: monitor }, kindsOfGoldenFiles());
    writeFileSync(join(here, `schemas/${minor}.json`), linesOf(made));
    process.stdout.write(`Kubernetes ${minor}: ${Object.keys(made.kinds).length} kinds\n`);
  }
}

function layOut(to) {
  for (const name of readdirSync(join(here, 'schemas'))) {
    const { kinds, definitions } = read(join(here, 'schemas', name));
    const minor = join(to, basename(name, '.json'));
    mkdirSync(minor, { recursive: true });
    for (const [key, definition] of Object.entries(kinds)) {
      const [apiVersion, kind] = key.split(' ');
      const suffix = apiVersion.replace(/\..*\//, '/').replace('/', '-');
      const schema = { $ref: `#/definitions/${definition}`, definitions };
      writeFileSync(join(minor, `${kind}-${suffix}.json`.toLowerCase()), JSON.stringify(schema));
    }
  }
}

/** The folder of a Go module, which the go command fetches when it is not there. */
function moduleFolder(name) {
  return JSON.parse(execFileSync('go', ['mod', 'download', '-json', name], { encoding: 'utf8', cwd: here })).Dir;
}

function kindsOfGoldenFiles() {
  const golden = ['small', 'full'].map((name) => readFileSync(join(here, `golden/${name}.yaml`), 'utf8')).join('\n');
  return [
    ...new Set(
      [...golden.matchAll(/^apiVersion: (\S+)\nkind: (\S+)$/gm)].map(([, version, kind]) => `${version} ${kind}`),
    ),
  ];
}

/** The Prometheus Operator defines its kind by itself; what it leaves open is the metadata of any object. */
function monitorSchema() {
  const module = moduleFolder(`github.com/prometheus-operator/prometheus-operator@${prometheusOperator}`);
  const { spec } = read(join(module, 'jsonnet/prometheus-operator/servicemonitors-crd.json'));
  const [version] = spec.versions.filter(({ name }) => name === 'v1');
  const { openAPIV3Schema: schema } = version.schema;
  schema.properties.metadata = { $ref: '#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' };
  schema['x-kubernetes-group-version-kind'] = [{ group: spec.group, version: 'v1', kind: spec.names.kind }];
  return schema;
}

/** The wanted kinds with every definition that is reached from them. */
function schemaOf(all, wanted) {
  const kinds = {};
  const definitions = {};
  const take = (name) => {
    if (name in definitions) return;
    definitions[name] = strict(name, all[name]);
    for (const [, other] of JSON.stringify(definitions[name]).matchAll(/"#\/definitions\/([^"]+)"/g)) take(other);
  };
  for (const [name, { 'x-kubernetes-group-version-kind': is = [] }] of Object.entries(all))
    for (const { group, version, kind } of is) {
      const key = `${group === '' ? version : `${group}/${version}`} ${kind}`;
      if (!wanted.includes(key)) continue;
      take(name);
      kinds[key] = name;
      Object.assign(definitions[name].properties, {
        apiVersion: { enum: [key.split(' ')[0]] },
        kind: { enum: [kind] },
      });
      definitions[name].required = [...new Set(['apiVersion', 'kind', ...(definitions[name].required ?? [])])];
    }
  const missing = wanted.filter((key) => !(key in kinds));
  if (missing.length > 0) throw new Error(`no schema of ${missing.join(', ')}`);
  return { kinds: sorted(kinds), definitions: sorted(definitions) };
}

/** A line for each kind and each definition, so that a change is seen. */
function linesOf(parts) {
  const lines = (part) =>
    Object.entries(part).map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`);
  const all = Object.entries(parts).map(([name, part]) => `"${name}":{\n${lines(part).join(',\n')}\n}`);
  return `{\n${all.join(',\n')}\n}\n`;
}

function sorted(object) {
  return Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** A definition without prose, that refuses fields which it does not name. */
function strict(name, definition) {
  return open[name] ?? strictSchema(definition);
}

function strictSchema(schema) {
  if (Array.isArray(schema)) return schema.map(strictSchema);
  if (typeof schema !== 'object' || schema === null) return schema;
  const made = {};
  for (const [key, value] of Object.entries(schema)) {
    if (key === 'properties')
      made[key] = Object.fromEntries(Object.entries(value).map(([name, property]) => [name, strictSchema(property)]));
    else if (
      !['description', 'default', 'format'].includes(key) &&
      (!key.startsWith('x-') || key === 'x-kubernetes-list-map-keys')
    )
      made[key] = strictSchema(value);
  }
  const isOpen = 'additionalProperties' in schema || schema['x-kubernetes-preserve-unknown-fields'] === true;
  if (schema.properties !== undefined && !isOpen) made.additionalProperties = false;
  return made;
}
