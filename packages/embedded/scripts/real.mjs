import { existsSync, readdirSync } from 'node:fs';
import { MongoClient } from 'mongodb';
import { DIFFERENCES, FEWER, LACKS, SLOW, UNSAFE } from './ferretdb/differences.mjs';
import { startFerret } from './ferretdb/server.mjs';
import { startRealNats } from './nats-server.mjs';
import { runSpecs } from './specs.mjs';

// Run by `npm run test:real`, which takes the lanes as arguments: nats, ferretdb, mongodb, eventstore; all of them
// without any.
const conformance = (protocol) => ({
  workspace: 'packages/embedded',
  pattern: `src/${protocol}/.*\\.conformance\\.spec`,
});
const eventSourcing = { workspace: 'packages/event-sourcing', pattern: '\\.int\\.spec' };
const blobs = { workspace: 'packages/blobs', pattern: 'mongodb/.*\\.int\\.spec' };
const messaging = { workspace: 'packages/messaging', pattern: 'src/' };
const platform = { workspace: 'packages/platform', pattern: '\\.int\\.spec' };
const gateway = { workspace: 'apps/gateway', pattern: '\\.int\\.spec' };

/** Runs the specs of every service that is there. */
async function runServices(where, { pattern = '\\.(int|e2e)\\.spec', ...on }) {
  const outcomes = [];
  for (const name of readdirSync('apps').filter((app) => existsSync(`apps/${app}/src/create.ts`) && app !== 'gateway'))
    outcomes.push(await runSpecs({ what: `${name} ${where}`, workspace: `apps/${name}`, pattern, ...on }));
  return outcomes;
}

/** Specs that need a server for themselves. */
const RESTARTS = [/^a server that goes away/, /^without NATS answers 503 at once/].map((name) => [
  name,
  'stops and starts its server',
]);
const FILES = [[/^the files of an installation/, 'looks into the files of embedded servers']];
const LONG = [
  /^authorization/,
  /^organizations, members, teams and invitations/,
  /^with requests at the same time/,
].map((name) => [name, 'asks nothing of NATS that the others do not, and takes a minute']);
const SCAVENGES = [/^pending invitations leave the address/, /^deleting an organization leaves no address/].map(
  (name) => [name, 'scavenges, which an operator does'],
);

const given = (variable, from) => {
  const url = process.env[variable] ?? '';
  if (url === '')
    console.log(`${from}: left out, no package registry has it: name one by ${variable} (docker-compose.yml has one)`);
  return url;
};

async function nats() {
  const server = await startRealNats();
  if (server === undefined) return [];
  console.log(`NATS: ${server.version}`);
  const on = { servers: { NATS_URL: server.url }, leftOut: RESTARTS };
  try {
    return [
      await runSpecs({
        what: 'NATS conformance on nats-server',
        ...conformance('nats'),
        servers: { CONFORMANCE_NATS_URL: server.url },
      }),
      await runSpecs({ what: 'messaging on nats-server', ...messaging, ...on }),
      await runSpecs({ what: 'gateway on nats-server', ...gateway, ...on }),
      ...(await runServices('behind its gateway on nats-server', {
        ...on,
        pattern: '(\\.e2e|cascades\\.int)\\.spec',
        leftOut: [...RESTARTS, ...LONG],
      })),
    ];
  } finally {
    await server.stop();
  }
}

async function ferretdb() {
  const server = await startFerret();
  if (server === undefined) return [];
  console.log(`MongoDB: FerretDB ${server.version}, SQLite backend`);
  const patience = 5;
  const on = { servers: { MONGODB_URL: server.url, ...FEWER }, leftOut: [...RESTARTS, ...FILES, ...UNSAFE], patience };
  try {
    return [
      await runSpecs({
        what: 'MongoDB conformance on FerretDB',
        ...conformance('mongodb'),
        servers: { CONFORMANCE_MONGODB_URL: server.url, CONFORMANCE_MONGODB_LACKS: LACKS },
        leftOut: SLOW,
        differences: DIFFERENCES,
        patience,
      }),
      await runSpecs({ what: 'event-sourcing on FerretDB', ...eventSourcing, ...on }),
      await runSpecs({ what: 'platform on FerretDB', ...platform, ...on }),
      ...(await runServices('on FerretDB', on)),
    ];
  } finally {
    await server.stop();
  }
}

async function mongodb() {
  const url = given('CONFORMANCE_MONGODB_URL', 'MongoDB');
  if (url === '') return [];
  console.log(`MongoDB: ${await versionOfMongo(url)}, the server of CONFORMANCE_MONGODB_URL`);
  const on = { servers: { MONGODB_URL: url }, leftOut: [...RESTARTS, ...FILES] };
  return [
    await runSpecs({
      what: 'MongoDB conformance',
      ...conformance('mongodb'),
      servers: { CONFORMANCE_MONGODB_URL: url },
    }),
    await runSpecs({ what: 'event-sourcing on MongoDB', ...eventSourcing, ...on }),
    await runSpecs({ what: 'blobs on MongoDB', ...blobs, ...on }),
    await runSpecs({ what: 'platform on MongoDB', ...platform, ...on }),
    ...(await runServices('on MongoDB', on)),
  ];
}

async function versionOfMongo(url) {
  const client = new MongoClient(url);
  try {
    return (await client.db('admin').command({ buildInfo: 1 })).version;
  } finally {
    await client.close();
  }
}

async function eventstore() {
  const url = given('CONFORMANCE_EVENTSTORE_URL', 'EventStoreDB');
  if (url === '') return [];
  console.log('EventStoreDB: the server of CONFORMANCE_EVENTSTORE_URL');
  const on = { servers: { EVENTSTORE_URL: url }, leftOut: [...RESTARTS, ...FILES, ...SCAVENGES] };
  return [
    await runSpecs({
      what: 'EventStoreDB conformance',
      ...conformance('eventstore'),
      servers: { CONFORMANCE_EVENTSTORE_URL: url },
    }),
    await runSpecs({ what: 'event-sourcing on EventStoreDB', ...eventSourcing, ...on }),
    await runSpecs({ what: 'platform on EventStoreDB', ...platform, ...on }),
    ...(await runServices('on EventStoreDB', on)),
  ];
}

const lanes = { nats, ferretdb, mongodb, eventstore };
const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !(name in lanes));
if (unknown.length > 0)
  throw new Error(`no such lane: ${unknown.join(', ')}; there are ${Object.keys(lanes).join(', ')}`);
const outcomes = [];
for (const [name, lane] of Object.entries(lanes)) {
  if (asked.length === 0 || asked.includes(name)) outcomes.push(...(await lane()));
}
const well = outcomes.every(Boolean);
console.log(
  outcomes.length === 0
    ? 'nothing was run'
    : `${well ? 'OK' : 'NOT OK'}: ${outcomes.filter(Boolean).length} of ${outcomes.length} suites`,
);
process.exitCode = well ? 0 : 1;
