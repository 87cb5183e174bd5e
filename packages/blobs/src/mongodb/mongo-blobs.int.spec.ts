import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mongoForTests, type TestServer } from '@scriptorium/embedded/test-servers';
import { afterAll, beforeAll } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { keepsBlobs } from '../test/contract.js';
import { survives } from '../test/faults.js';
import { refuses } from '../test/refusals.js';
import { type StorePlace } from '../test/stores.js';

const dataDir = mkdtempSync(join(tmpdir(), 'blobs-'));
const database = `blobs_${randomUUID().slice(0, 8)}`;
let server: TestServer<unknown>;
beforeAll(async () => {
  server = await mongoForTests({ dataDir });
});
afterAll(async () => {
  const client = new MongoClient(server.url);
  if (server.given) await client.db(database).dropDatabase();
  await client.close();
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

const place = (): StorePlace => ({ kind: 'mongodb', options: { url: server.url, database } });
keepsBlobs('MongoDB', place);
survives('MongoDB', place);
refuses('MongoDB', { kind: 'mongodb', options: { url: 'mongodb://127.0.0.1:9', database } });
