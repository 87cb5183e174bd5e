import { startEventStoreServer } from '../dist/eventstore/index.js';
import { DIFFERENCES, LACKS } from './ferretdb/differences.mjs';
import { startFerret } from './ferretdb/server.mjs';
import { startRealNats } from './nats-server.mjs';
import { runSpecs } from './specs.mjs';

// Run by `npm run test:real`, which takes the lanes as arguments: nats, ferretdb, eventstore; all of them without any.
const conformance = (protocol) => ({ workspace: 'packages/embedded', pattern: `src/${protocol}/.*\\.conformance\\.spec` });

async function nats() {
  const server = await startRealNats();
  if (server === undefined) return [];
  console.log(`NATS: ${server.version}`);
  try {
    return [
      await runSpecs({ what: 'NATS conformance on nats-server', ...conformance('nats'), servers: { CONFORMANCE_NATS_URL: server.url } }),
      await runSpecs({ what: 'messaging on nats-server', workspace: 'packages/messaging', pattern: 'src/', servers: { NATS_URL: server.url } }),
    ];
  } finally {
    await server.stop();
  }
}

/** Specs that need servers which are theirs. */
const OWN_SERVER = { 'faults.int.spec.ts': 'stops and restarts its servers' };

async function ferretdb() {
  const server = await startFerret();
  if (server === undefined) return [];
  console.log(`MongoDB: FerretDB ${server.version}, SQLite backend`);
  const given = process.env['CONFORMANCE_EVENTSTORE_URL'] ?? '';
  const eventstore = given === '' ? await startEventStoreServer({}) : undefined;
  console.log('  identity on FerretDB: left out, its int specs start servers of their own and take no address');
  console.log(`  with EventStoreDB: ${eventstore === undefined ? 'the server of CONFORMANCE_EVENTSTORE_URL' : 'embedded'}`);
  try {
    return [
      await runSpecs({ what: 'MongoDB conformance on FerretDB', ...conformance('mongodb'), servers: { CONFORMANCE_MONGODB_URL: server.url, CONFORMANCE_MONGODB_LACKS: LACKS }, differences: DIFFERENCES }),
      await runSpecs({
        what: 'event-sourcing on FerretDB',
        workspace: 'packages/event-sourcing',
        pattern: '\\.int\\.spec',
        servers: { MONGODB_URL: server.url, EVENTSTORE_URL: eventstore?.url ?? given },
        skipped: OWN_SERVER,
      }),
    ];
  } finally {
    await server.stop();
    await eventstore?.stop();
  }
}

async function eventstore() {
  const url = process.env['CONFORMANCE_EVENTSTORE_URL'] ?? '';
  if (url === '') {
    console.log('EventStoreDB: left out, no package registry has it: name one by CONFORMANCE_EVENTSTORE_URL (docker-compose.yml has one)');
    return [];
  }
  console.log('EventStoreDB: the server of CONFORMANCE_EVENTSTORE_URL');
  return [await runSpecs({ what: 'EventStoreDB conformance', ...conformance('eventstore'), servers: { CONFORMANCE_EVENTSTORE_URL: url } })];
}

const lanes = { nats, ferretdb, eventstore };
const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !(name in lanes));
if (unknown.length > 0) throw new Error(`no such lane: ${unknown.join(', ')}; there are ${Object.keys(lanes).join(', ')}`);
const outcomes = [];
for (const [name, lane] of Object.entries(lanes)) {
  if (asked.length === 0 || asked.includes(name)) outcomes.push(...(await lane()));
}
process.exitCode = outcomes.every(Boolean) ? 0 : 1;
