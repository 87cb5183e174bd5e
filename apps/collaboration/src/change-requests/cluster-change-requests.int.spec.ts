import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, get, startRig, type Answer, type Person, type Rig } from '../test/rig-with-store.js';

/** The texts of the leaves of a document. */
function textsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const text = 'text' in value && typeof value.text === 'string' ? [value.text] : [];
  return [...text, ...Object.values(value).flatMap(textsIn)];
}

describe('a change request for a cluster of issues', () => {
  let rig: Rig;
  let org: string;
  let space: string;
  let path: string;
  let cluster: string;
  let editor: Person;
  beforeAll(async () => {
    rig = await startRig();
    org = `/orgs/${rig.organization}`;
    editor = await rig.member('Edi Tor', 'edit');
    space = await newSpace();
    cluster = await newCluster(
      Array.from({ length: 12 }, (_, n) => [
        `c-${n}`,
        `Export of snake_case_${n}: 2 * 3 * 4 and #1 [fails] for ann@example.org!`,
      ]),
    );
    await rig.send('PATCH', `${org}/conversations-clusters/${cluster}`, { body: { label: 'Exports fail' } });
    path = `${org}/conversations-clusters/${cluster}/change-requests`;
  }, 90_000);
  afterAll(() => rig.stop());

  const newSpace = async () => String((await rig.send('POST', `${org}/spaces`, { body: {} })).body['id']);
  /** The cluster of conversations that say the same. */
  const newCluster = async (all: string[][]): Promise<string> => {
    const body = all.map(([id, text]) => ({ id, parts: [{ type: 'message', role: 'user', body: text }] }));
    expect((await rig.send('POST', `${org}/conversations`, { body })).status).toBe(204);
    const waiting = async () => (await rig.send('GET', `${org}/conversations?processed=false`)).body['count'];
    await eventually(async () => (await waiting()) === 0, 30_000);
    const [found] = (await rig.send('GET', `${org}/conversations?externalId=${all[0]?.[0] ?? ''}`)).body.items;
    const issues = await rig.send('GET', `${org}/conversations-issues?conversation=${String(found?.['id'])}`);
    return String(get(issues.body.items[0], 'issue.cluster'));
  };
  const send = (body: object, headers: Record<string, string> = {}, { token }: Person = editor) =>
    rig.send('POST', path, { token, body, headers });
  const refusal = ({ status, body }: Answer) => [status, body?.error?.reason, body?.error?.details?.[0]?.path];

  it('is a draft that names the cluster and lists ten of its issues, masked', async () => {
    const { status, body, headers } = await send({ space });
    expect([status, headers.get('location')]).toEqual([201, get(body, 'urls.location')]);
    expect(body).toMatchObject({
      object: 'change-request',
      status: 'draft',
      space,
      subject: 'Exports fail',
      conversationsIssuesCluster: cluster,
      createdBy: { displayName: 'Edi Tor' },
    });
    const { body: issues } = await rig.send('GET', `${org}/conversations-clusters/${cluster}/issues?limit=10`);
    const titles = issues.items.map((one) => String(get(one, 'issue.title')));
    expect(titles[0]).toMatch(/^Export of snake_case_\d+: 2 \* 3 \* 4 and #1 \[fails\] for \[e-mail\]!$/);
    const [first, ...listed] = textsIn(body['description']);
    expect(first).toBe('12 issues of 12 conversations, of which these are the newest:');
    expect(listed).toEqual(titles);
    await eventually(async () => {
      const { body: now } = await rig.send('GET', `${org}/conversations-clusters/${cluster}`);
      return get(now, 'changeRequests.open') === 1;
    });
  });

  it('has the subject that is given, and is made once for a key', async () => {
    const [one, again] = [
      await send({ space, subject: 'Mend the export' }, { 'idempotency-key': 'k-1' }),
      await send({ space, subject: 'Mend the export' }, { 'idempotency-key': 'k-1' }),
    ];
    expect([one.status, one.body['subject'], again.body]).toEqual([201, 'Mend the export', one.body]);
    expect((await send({ space }, { 'idempotency-key': 'k-1' })).status).toBe(422);
  });

  it('is for the living cluster when the one of the path was merged', async () => {
    const other = await newCluster([['o-1', 'Dark mode hurts my eyes at night']]);
    const merged = `${org}/conversations-clusters/${other}`;
    await rig.send('PATCH', merged, { body: { mergeInto: cluster } });
    const { status, body } = await rig.send('POST', `${merged}/change-requests`, { body: { space } });
    expect([status, body['conversationsIssuesCluster']]).toEqual([201, cluster]);
  });

  it('is refused where there is nothing to make it of, or nobody may', async () => {
    expect(refusal(await send({}))).toEqual([400, 'invalid_request', 'body.space']);
    expect(refusal(await send({ space: 'none' }))).toEqual([400, 'invalid_request', 'body.space']);
    expect(refusal(await send({ space, subject: 'x'.repeat(257) }))).toEqual([400, 'invalid_request', 'body.subject']);
    const elsewhere = String((await rig.send('POST', '/orgs', { body: { title: 'Elsewhere' } })).body['id']);
    const { body: foreign } = await rig.send('POST', `/orgs/${elsewhere}/spaces`, { body: {} });
    const foreignSpace = { body: { space: String(foreign['id']) } };
    expect(refusal(await rig.send('POST', path, foreignSpace))).toEqual([400, 'invalid_request', 'body.space']);
    const none = `${org}/conversations-clusters/none/change-requests`;
    expect((await rig.send('POST', none, { body: { space } })).status).toBe(404);
    const reader = await rig.member('Rea Der', 'read');
    expect(refusal(await send({ space }, {}, reader))).toEqual([403, 'forbidden', 'body.space']);
    const deleted = await newSpace();
    await rig.send('DELETE', `/spaces/${deleted}`);
    expect(refusal(await send({ space: deleted }))).toEqual([400, 'invalid_request', 'body.space']);
  });

  it('is not made by a dry run', async () => {
    const count = async () =>
      (await rig.send('GET', `/spaces/${space}/change-requests?status=draft&limit=0`)).body['count'];
    const before = await count();
    const { status, body } = await rig.send('POST', `${path}?dryRun=true`, { body: { space, subject: 'Perhaps' } });
    expect([status, body['subject'], await count()]).toEqual([201, 'Perhaps', before]);
  });
});
