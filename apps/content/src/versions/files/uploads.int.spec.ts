import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startRig, type Answer, type Person, type Rig } from '../../test/rig.js';

describe('an upload', () => {
  let rig: Rig;
  let org: string;
  let guest: Person;
  beforeAll(async () => {
    rig = await startRig({ MAX_UNUSED_UPLOAD_BYTES_PER_USER: '3000000' });
    org = `/orgs/${rig.organization}`;
    guest = await rig.member('Gus Guest', null);
  }, 60_000);
  afterAll(() => rig.stop());

  const begin = (size: number) =>
    rig.send('POST', `${org}/storage/upload`, {
      token: guest.token,
      body: { file: { name: 'x', type: 'a/b', size }, kind: 'space_file' },
    });
  const refusal = ({ status, body: { error } }: Answer) => [status, error.reason, error.details?.[0]?.path];

  it('is begun by those who may edit something', async () => {
    const space = String((await rig.send('POST', `${org}/spaces`, { body: { empty: true } })).body['id']);
    const grant = async (role: string) =>
      (await rig.send('POST', `/spaces/${space}/permissions`, { body: { role, users: [guest.id] } })).status;
    expect(refusal(await begin(1))).toEqual([403, 'forbidden', undefined]);
    expect(await grant('comment')).toBe(204);
    expect(refusal(await begin(1))).toEqual([403, 'forbidden', undefined]);
    expect(await grant('edit')).toBe(204);
    expect((await begin(1)).status).toBe(201);
  });

  it('is put aside once by each of some requests with one key', async () => {
    const space = String(
      (await rig.send('POST', `${org}/spaces`, { body: { empty: true, editMode: 'live' } })).body['id'],
    );
    const file = { name: 'f.txt', base64: Buffer.from('text').toString('base64'), contentType: 'text/plain' };
    for (let round = 0; round < 5; round += 1) {
      const request = {
        headers: { 'idempotency-key': `files-${round}` },
        body: { changes: [{ operation: 'insert_files', files: [{ ...file, name: `f${round}.txt` }] }] },
      };
      const answers = await Promise.all([1, 2, 3].map(() => rig.send('POST', `/spaces/${space}/content`, request)));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
      expect(new Set(answers.map(({ body }) => body['revision'])).size).toBe(1);
    }
  });

  it('counts with its declared bytes, of which a user has so many that nothing uses', async () => {
    expect((await begin(2_000_000)).status).toBe(201);
    expect(refusal(await begin(1_000_000))).toEqual([409, 'limit_reached', 'unusedUploadBytesPerUser']);
    expect((await begin(999_999)).status).toBe(201);
  });
});
