import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from '@jest/globals';
import { keepsBlobs } from '../test/contract.js';
import { survives } from '../test/faults.js';
import { refuses } from '../test/refusals.js';
import { type StorePlace } from '../test/stores.js';

const folder = mkdtempSync(join(tmpdir(), 'blobs-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const place: StorePlace = { kind: 'folder', options: { folder: join(folder, 'not', 'made', 'yet') } };
keepsBlobs('a folder', () => place);
survives('a folder', () => place);
refuses('a folder', place);
