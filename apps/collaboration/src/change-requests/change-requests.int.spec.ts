import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, get, startRig, type Answer, type Person, type Rig } from '../test/rig-with-store.js';

describe('change requests', () => {
  let rig: Rig;
  let org: string;
  let space: string;
  let base: string;
  let author: Person;
  let reviewer: Person;
  let reader: Person;
  let stranger: Person;
  /** A cluster of issues, made from a conversation. */
  let cluster: string;
  beforeAll(async () => {
    rig = await startRig();
    org = `/orgs/${rig.organization}`;
    author = await rig.member('Au Thor', 'edit');
    reviewer = await rig.member('Re Viewer', 'review');
    reader = await rig.member('Rea Der', 'read');
    stranger = await rig.person('Stran Ger');
    space = await newSpace();
    base = `${space}/change-requests`;
    cluster = await newCluster('c-1', 'The PDF export fails');
  }, 60_000);
  afterAll(() => rig.stop());

  const newCluster = async (id: string, body: string): Promise<string> => {
    const parts = [{ type: 'message', role: 'user', body }];
    await rig.send('POST', `${org}/conversations`, { body: { id, parts } });
    const found = async () => (await rig.send('GET', `${org}/conversations?externalId=${id}`)).body.items[0];
    await eventually(async () => (await found())?.['processedAt'] !== undefined);
    const path = `${org}/conversations-issues?conversation=${String((await found())?.['id'])}`;
    return String(get((await rig.send('GET', path)).body.items[0], 'issue.cluster'));
  };
  const newSpace = async (body: object = {}) =>
    `/spaces/${String((await rig.send('POST', `${org}/spaces`, { body })).body['id'])}`;
  const create = (body: object = {}, { token }: Person = author, path = base) =>
    rig.send('POST', path, { token, body });
  const created = async (body: object = {}, person: Person = author, path = base) =>
    `${path}/${String((await create(body, person, path)).body['id'])}`;
  const patch = (path: string, body: object, { token }: Person = author) => rig.send('PATCH', path, { token, body });
  const refusal = ({ status, body }: Answer) => [status, body?.error?.reason, body?.error?.details?.[0]?.path];

  it('begin as drafts of the newest content, and are found by id and by number', async () => {
    const { status, body, headers } = await create({ subject: 'Fix typos', conversationsIssuesCluster: cluster });
    expect(status).toBe(201);
    const revision = (await rig.send('GET', space)).body['revision'];
    expect(body).toMatchObject({
      object: 'change-request',
      number: 1,
      status: 'draft',
      subject: 'Fix typos',
      createdBy: { displayName: 'Au Thor' },
      space: space.slice('/spaces/'.length),
      revision,
      revisionInitial: revision,
      comments: 0,
      outdated: false,
      conversationsIssuesCluster: cluster,
    });
    expect(headers.get('location')).toBe(get(body, 'urls.location'));
    expect(get(body, 'urls.app')).toMatch(/\/~\/changes\/1$/);
    for (const which of [String(body['id']), '1'])
      expect((await rig.send('GET', `${base}/${which}`, { token: reader.token })).body).toEqual(body);
    expect((await create()).body).toMatchObject({ number: 2, subject: '' });
    for (const which of ['3', 'unknown', '0']) expect((await rig.send('GET', `${base}/${which}`)).status).toBe(404);
    const elsewhere = await newSpace();
    expect((await rig.send('GET', `${elsewhere}/change-requests/${String(body['id'])}`)).status).toBe(404);
  });

  it('are created for a cluster of issues, which tells what became of them', async () => {
    expect(refusal(await create({ conversationsIssuesCluster: 'none' }))).toEqual([
      400,
      'invalid_request',
      'body.conversationsIssuesCluster',
    ]);
    const [one, other] = [
      await newCluster('c-2', 'Invoice shows a wrong address'),
      await newCluster('c-3', 'Dark mode'),
    ];
    const path = `${await newSpace({ editMode: 'live' })}/change-requests`;
    const request = await created({ conversationsIssuesCluster: one }, author, path);
    const clusters = `${org}/conversations-clusters`;
    const shown = async (id: string) => (await rig.send('GET', `${clusters}/${id}`)).body;
    await eventually(async () => get(await shown(one), 'changeRequests.open') === 1);
    // Links hold when clusters are merged.
    await rig.send('PATCH', `${clusters}/${one}`, { body: { mergeInto: other } });
    const filter = `${path}?status=draft&conversationsIssuesCluster=`;
    expect((await rig.send('GET', `${filter}${other}`)).body['count']).toBe(1);
    expect((await shown(other))['changeRequests']).toEqual({ open: 1, merged: 0 });
    const page = { operation: 'insert_page', title: 'Addresses', document: { markdown: 'Change it here.' } };
    await rig.send('POST', `${request}/content`, { body: { changes: [page] } });
    await patch(request, { status: 'open' });
    expect((await rig.send('POST', `${request}/merge`)).status).toBe(200);
    await eventually(async () => get(await shown(other), 'changeRequests.merged') === 1);
    expect(await shown(other)).toMatchObject({ resolvedAt: expect.any(String), sinceResolved: 0 });
  });

  it('have numbers without gaps, however many begin at once', async () => {
    const path = `${await newSpace()}/change-requests`;
    await rig.send('POST', path, { body: { template: { id: 'unknown' } } });
    const answers = await Promise.all(Array.from({ length: 8 }, () => create({}, author, path)));
    expect(answers.map(({ body }) => Number(body['number'])).sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it('are created by those who may edit, and seen by those who may read', async () => {
    expect(refusal(await create({}, reader))).toEqual([403, 'forbidden', undefined]);
    expect(refusal(await create({}, stranger))).toEqual([404, 'not_found', undefined]);
    const path = await created();
    expect((await rig.send('GET', path, { token: stranger.token })).status).toBe(404);
    expect((await rig.send('GET', base, { token: stranger.token })).status).toBe(404);
    expect(refusal(await create({ subject: 'x'.repeat(257) }))).toEqual([400, 'invalid_request', 'body.subject']);
    expect((await create({ template: { id: 'unknown' } })).status).toBe(404);
  });

  it('are described by their author and by those who may review', async () => {
    const path = await created({ subject: 'Before' });
    const described = await patch(path, { subject: 'After', description: { markdown: 'Why **so**' } });
    expect(described.body).toMatchObject({ subject: 'After', description: { object: 'document' } });
    const url = 'https://issues.example/1';
    const links = [{ ref: { kind: 'url', url }, title: 'Issue' }];
    const linked = (await patch(path, { links }, reviewer)).body;
    expect(linked).toMatchObject({ subject: 'After', links });
    const [{ id }] = linked['links'] as [{ id: string }];
    const kept = await patch(path, { links: [{ id, ref: { kind: 'url', url } }] });
    expect(kept.body['links']).toEqual([{ id, ref: { kind: 'url', url } }]);
    const cleared = (await patch(path, { description: null, links: [], subject: '' })).body;
    expect(cleared['subject']).toBe('');
    expect(cleared).not.toHaveProperty('description');
    expect(cleared).not.toHaveProperty('links');
    const other = await rig.member('Other Editor', 'edit');
    expect(refusal(await patch(path, { subject: 'Mine' }, other))).toEqual([403, 'forbidden', undefined]);
    expect(refusal(await patch(path, { links: Array(11).fill(links[0]) }))).toEqual([
      400,
      'invalid_request',
      'body.links',
    ]);
    expect(refusal(await patch(path, { links: [{ ref: { kind: 'url', url: 'x' } }] }))).toEqual([
      400,
      'invalid_request',
      'body.links[0].ref.url',
    ]);
    const both = await Promise.all([
      patch(path, { subject: 'One' }),
      patch(path, { description: { markdown: 'Two' } }),
    ]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect((await rig.send('GET', path)).body).toMatchObject({ subject: 'One', description: { object: 'document' } });
  });

  it('go from every status to every other, but for merged', async () => {
    const path = await created();
    for (const status of ['open', 'archived', 'open', 'draft', 'archived', 'draft', 'draft'])
      expect((await patch(path, { status })).body['status']).toBe(status);
    expect(refusal(await patch(path, { status: 'merged' }))).toEqual([400, 'invalid_request', 'body.status']);
    const other = await rig.member('Another Editor', 'edit');
    expect((await patch(path, { status: 'open' }, other)).status).toBe(403);
    expect((await patch(path, { status: 'open' }, reviewer)).status).toBe(200);
    expect((await patch(`${base}/unknown`, { status: 'open' })).status).toBe(404);
  });

  it('are listed by when they were changed, and filtered', async () => {
    const listed = await newSpace();
    const path = `${listed}/change-requests`;
    const ids = [
      await created({ subject: 'One' }, author, path),
      await created({ subject: 'Two', conversationsIssuesCluster: cluster }, reviewer, path),
      await created({ subject: 'Three' }, author, path),
    ];
    await patch(String(ids[2]), { status: 'open' });
    await patch(String(ids[0]), { status: 'open' });
    const list = async (query = '', from = path) => {
      const { body } = await rig.send('GET', `${from}?${query}`, { token: reader.token });
      return [body['count'], ...body.items.map(({ id }) => ids.indexOf(`${path}/${String(id)}`))];
    };
    expect(await list()).toEqual([2, 0, 2]);
    expect(await list('status=draft')).toEqual([1, 1]);
    expect(await list('status=draft&status=open')).toEqual([3, 0, 2, 1]);
    expect(await list('status=draft,open&orderBy=createdAt')).toEqual([3, 2, 1, 0]);
    expect(await list(`status=draft,open&creator=${reviewer.id}`)).toEqual([1, 1]);
    expect(await list(`status=draft,open&conversationsIssuesCluster=${cluster}`)).toEqual([1, 1]);
    expect(await list(`contributor=${reader.id}`)).toEqual([0]);
    const id = listed.slice('/spaces/'.length);
    expect(await list(`space=${id}`, `${org}/change-requests`)).toEqual([2, 0, 2]);
    await rig.send('PATCH', listed, { body: { defaultLevel: null } });
    expect(await list(`space=${id}`, `${org}/change-requests`)).toEqual([0]);
    expect((await rig.send('GET', `${org}/change-requests`, { token: stranger.token })).status).toBe(404);
    expect((await rig.send('GET', path, { token: reader.token })).status).toBe(404);
    const first = (await rig.send('GET', `${path}?status=draft,open&limit=2`)).body;
    const next = encodeURIComponent(String(get(first, 'next.page')));
    expect((await rig.send('GET', `${path}?status=draft,open&limit=2&page=${next}`)).body.items).toHaveLength(1);
    expect(refusal(await rig.send('GET', `${path}?status=closed`))).toEqual([
      400,
      'invalid_request',
      'query.status[0]',
    ]);
  });

  it('have content of their own, and become outdated when that of the space changes', async () => {
    const live = await newSpace({ editMode: 'live' });
    const path = await created({}, author, `${live}/change-requests`);
    const insert = (title: string) => ({
      changes: [{ operation: 'insert_page', title, document: { markdown: 'x' }, ref: 'page' }],
    });
    const before = (await rig.send('GET', path)).body;
    await rig.send('POST', `${path}/content`, { token: author.token, body: insert('Mine') });
    const changed = (await rig.send('GET', path)).body;
    expect(changed['revision']).not.toBe(before['revision']);
    expect([changed['revisionInitial'], changed['outdated']]).toEqual([before['revisionInitial'], false]);
    await rig.send('POST', `${live}/content`, { body: insert('Theirs') });
    expect((await rig.send('GET', path)).body).toMatchObject({ outdated: true, revision: changed['revision'] });
    const contributed = await rig.send('GET', `${live}/change-requests?status=draft&contributor=${author.id}`);
    expect(contributed.body['count']).toBe(1);
  });

  it('are given up when their creation broke off before they had a number', async () => {
    const path = `${await newSpace()}/change-requests`;
    expect((await create({ subject: 'Lost', template: { id: 'unknown' } }, author, path)).status).toBe(404);
    const { database } = rig.store;
    const timers = database.collection<{ _id: string; command: string }>('op_timers');
    const texts = database.collection('op_texts');
    const lost = async () => {
      const docs = await texts.find({ json: /"Lost"/ }).toArray();
      return docs.length;
    };
    expect(await lost()).toBe(1);
    const kept = await created({ subject: 'Kept' }, author, path);
    // The removal of the texts is requested after the change request was abandoned.
    await eventually(async () => {
      await timers.updateMany({ command: { $in: ['abandon_change_request', 'drop_texts'] } }, { $set: { due: 0 } });
      return (await lost()) === 0;
    });
    expect((await rig.send('GET', kept)).body).toMatchObject({ number: 1, subject: 'Kept' });
  });

  it('have content that paths name by their number, too', async () => {
    const live = await newSpace({ editMode: 'live', empty: true });
    const path = `${live}/change-requests`;
    const made = await create({}, author, path);
    const changes = [{ operation: 'insert_page', title: 'New', document: { markdown: 'x' } }];
    const byNumber = `${path}/${String(made.body['number'])}/content`;
    expect((await rig.send('POST', byNumber, { token: author.token, body: { changes } })).status).toBe(200);
    const byId = `${path}/${String(made.body['id'])}/content`;
    expect((await rig.send('GET', byNumber)).body).toEqual((await rig.send('GET', byId)).body);
    expect((await rig.send('GET', `${path}/2/content`)).status).toBe(404);
    expect((await rig.send('GET', `${await newSpace()}/change-requests/1/content`)).status).toBe(404);
  });

  it('are counted by their space', async () => {
    const counted = await newSpace({ editMode: 'live', empty: true });
    const path = `${counted}/change-requests`;
    const counts = async () => {
      const { body } = await rig.send('GET', counted);
      return [body['changeRequests'], body['changeRequestsOpen'], body['changeRequestsDraft']];
    };
    expect(await counts()).toEqual([0, 0, 0]);
    const [one, two] = [await created({}, author, path), await created({}, author, path)];
    expect(await counts()).toEqual([2, 0, 2]);
    await patch(one, { status: 'open' });
    await patch(two, { status: 'archived' });
    expect(await counts()).toEqual([2, 1, 0]);
    expect((await rig.send('POST', `${one}/merge`, { token: reviewer.token })).status).toBe(200);
    expect(await counts()).toEqual([2, 0, 0]);
    await patch(one, { status: 'draft' }, reviewer);
    expect(await counts()).toEqual([2, 0, 1]);
  });

  it('have comments, apart from those of their space', async () => {
    const live = await newSpace({ editMode: 'live', empty: true });
    const path = await created({}, author, `${live}/change-requests`);
    const changes = [{ operation: 'insert_page', title: 'New', document: { markdown: 'x' }, ref: 'page' }];
    const made = await rig.send('POST', `${path}/content`, { token: author.token, body: { changes } });
    const page = get(made.body, 'refs.page');
    const says = { body: { markdown: 'Why?' }, page };
    expect(refusal(await rig.send('POST', `${live}/comments`, { body: says }))).toEqual([
      400,
      'invalid_request',
      'body.target',
    ]);
    const posted = await rig.send('POST', `${path}/comments`, { body: says });
    const id = path.slice(path.lastIndexOf('/') + 1);
    expect(posted.body['target']).toMatchObject({ changeRequest: id, page: { id: page } });
    const comment = `${path}/comments/${String(posted.body['id'])}`;
    expect(get(posted.body, 'urls.location')).toBe(`https://docs.example/v1${comment}`);
    expect((await rig.send('GET', `${live}/change-requests/1/comments/${String(posted.body['id'])}`)).status).toBe(200);
    expect((await rig.send('GET', `${live}/comments/${String(posted.body['id'])}`)).status).toBe(404);
    expect((await rig.send('GET', `${live}/comments`)).body['count']).toBe(0);
    expect((await rig.send('GET', `${path}/comments`)).body['count']).toBe(1);
    const reply = await rig.send('POST', `${comment}/replies`, { body: { body: { markdown: 'So.' } } });
    expect((await rig.send('GET', `${comment}/replies/${String(reply.body['id'])}`)).status).toBe(200);
    expect((await rig.send('GET', path)).body['comments']).toBe(1);
    expect((await rig.send('GET', live)).body['comments']).toBe(0);
    expect((await rig.send('GET', `${path}/commenters`)).body.items.map((item) => item['id'])).toEqual([rig.owner.id]);
    await rig.send('PUT', comment, { body: { resolved: true } });
    expect((await rig.send('GET', path)).body['comments']).toBe(0);
    expect((await rig.send('DELETE', comment)).status).toBe(205);
    expect((await rig.send('GET', `${base}/unknown/comments`)).status).toBe(404);
  });

  it('are tried, created once for a key, and changed only as they were seen', async () => {
    const path = `${await newSpace()}/change-requests`;
    const tried = await rig.send('POST', `${path}?dryRun=true`, { body: { subject: 'Tried' } });
    expect([tried.status, tried.body['subject'], tried.body['number']]).toEqual([201, 'Tried', 1]);
    expect((await rig.send('GET', path)).body['count']).toBe(0);
    const keyed = { headers: { 'idempotency-key': 'once' }, body: { subject: 'Once' } };
    const [one, two] = [await rig.send('POST', path, keyed), await rig.send('POST', path, keyed)];
    expect([two.body, one.body['number']]).toEqual([one.body, 1]);
    const target = `${path}/${String(one.body['id'])}`;
    const etag = String((await rig.send('GET', target)).headers.get('etag'));
    const change = (subject: string) => rig.send('PATCH', target, { headers: { 'if-match': etag }, body: { subject } });
    expect((await change('Seen')).status).toBe(200);
    expect((await change('Unseen')).status).toBe(412);
    const dry = await rig.send('PATCH', `${target}?dryRun=true`, { body: { subject: 'Not yet' } });
    expect(dry.body['subject']).toBe('Not yet');
    expect((await rig.send('GET', target)).body['subject']).toBe('Seen');
  });

  it('of a deleted space are read by its admins, and written by nobody', async () => {
    const deleted = await newSpace();
    const path = await created({}, author, `${deleted}/change-requests`);
    await rig.send('DELETE', deleted);
    expect((await rig.send('GET', path)).status).toBe(200);
    expect((await rig.send('GET', `${deleted}/change-requests?status=draft`)).body['count']).toBe(1);
    expect((await rig.send('GET', `${path}/comments`)).status).toBe(200);
    expect((await rig.send('GET', path, { token: author.token })).status).toBe(404);
    expect((await patch(path, { status: 'open' }, rig.owner)).status).toBe(404);
    expect((await create({}, rig.owner, `${deleted}/change-requests`)).status).toBe(404);
  });
});
