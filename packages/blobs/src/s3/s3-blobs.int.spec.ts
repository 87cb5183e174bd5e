import { randomUUID } from 'node:crypto';
import { CreateBucketCommand, DeleteBucketCommand } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe } from '@jest/globals';
import { keepsBlobs } from '../test/contract.js';
import { survives } from '../test/faults.js';
import { refuses } from '../test/refusals.js';
import { openStore, type StorePlace } from '../test/stores.js';
import { openBucket, type S3Options } from './bucket.js';

/** `http://key:secret@host:port` of an S3-compatible server: `npm run test:s3` names one. */
const given = process.env['BLOBS_S3_URL'] ?? '';

function optionsFrom(text: string): S3Options {
  const { origin, username, password } = new URL(text);
  const credentials = { accessKeyId: decodeURIComponent(username), secretAccessKey: decodeURIComponent(password) };
  const region = process.env['BLOBS_S3_REGION'] ?? 'us-east-1';
  return { endpoint: origin, region, bucket: `blobs-${randomUUID()}`, credentials };
}

if (given !== '')
  describe('a real S3-compatible server', () => {
    const options = optionsFrom(given);
    const place: StorePlace = { kind: 's3', options };
    const bucket = openBucket(options);
    beforeAll(async () => {
      await bucket.client.send(new CreateBucketCommand({ Bucket: bucket.name }));
    });
    afterAll(async () => {
      const blobs = openStore(place);
      await blobs.sweep({ olderThan: Date.now() + 60_000 });
      for (const pool of await blobs.listPools({ limit: 1_000 })) await blobs.removePool(pool);
      await blobs.close();
      await bucket.client.send(new DeleteBucketCommand({ Bucket: bucket.name }));
      bucket.client.destroy();
    });
    keepsBlobs('S3', () => place);
    survives('S3', () => place);
  });

const credentials = { accessKeyId: 'nobody', secretAccessKey: 'nothing' };
refuses('S3', { kind: 's3', options: { endpoint: 'http://127.0.0.1:9', region: 'none', bucket: 'none', credentials } });
