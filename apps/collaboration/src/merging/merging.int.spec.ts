import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mergeBranch } from '@scriptorium/contracts';
import { connectAsker } from '@scriptorium/testing/asker';
import { changeRequest } from '../change-requests/index.js';
import type { ChangeRequestEvent } from '../change-requests/change-request.events.js';
import { eventually, get, startRig, type Answer, type Person, type Rig } from '../test/rig-with-store.js';

describe('merges and updates of change requests', () => {
  let rig: Rig;
  let author: Person;
  let reviewer: Person;
  let reader: Person;
  beforeAll(async () => {
    rig = await startRig({}, { alone: true });
    author = await rig.member('Au Thor', 'edit');
    reviewer = await rig.member('Re Viewer', 'review');
    reader = await rig.member('Rea Der', 'read');
  }, 60_000);
  afterAll(() => rig.stop());

  const insert = (title: string) => ({
    changes: [{ operation: 'insert_page', title, document: { markdown: `About ${title}` }, ref: 'page' }],
  });
  const retitle = (page: string, title: string) => ({ changes: [{ operation: 'update_page', page, title }] });
  /** A space with a page, and a change request of the author. */
  const begin = async (settings: object = {}) => {
    const body = { editMode: 'live', empty: true };
    const space = `/spaces/${String((await rig.send('POST', `/orgs/${rig.organization}/spaces`, { body })).body['id'])}`;
    const first = await rig.send('POST', `${space}/content`, { body: insert('First') });
    const page = String(get(first.body, 'refs.page'));
    if (Object.keys(settings).length > 0) expect((await rig.send('PATCH', space, { body: settings })).status).toBe(200);
    return { space, page, request: await beginIn(space) };
  };
  const beginIn = async (space: string, body: object = {}) => {
    const made = await rig.send('POST', `${space}/change-requests`, { token: author.token, body });
    return `${space}/change-requests/${String(made.body['id'])}`;
  };
  const write = async (path: string, body: object, { token }: Person = author) => {
    const answer = await rig.send('POST', `${path}/content`, { token, body });
    expect(answer.status).toBe(200);
    return answer;
  };
  const merge = (request: string, { token }: Person = reviewer, query = '') =>
    rig.send('POST', `${request}/merge${query}`, { token });
  const update = (request: string, { token }: Person = author) => rig.send('POST', `${request}/update`, { token });
  const read = async (path: string) => (await rig.send('GET', path)).body;
  const refusal = ({ status, body }: Answer) => [status, body?.error?.reason, body?.error?.details?.[0]?.path];

  it('bring the content into the space, once', async () => {
    const { space, request } = await begin();
    await write(request, insert('Second'));
    const merged = await merge(request);
    expect(merged.body).toEqual({ revision: (await read(space))['revision'], result: 'merge' });
    expect(await read(request)).toMatchObject({
      status: 'merged',
      revisionMerged: merged.body['revision'],
      mergedBy: { displayName: 'Re Viewer' },
      mergedAt: expect.any(String),
      outdated: false,
    });
    expect((await merge(request)).body).toEqual(merged.body);
    expect((await read(`${space}/change-requests?status=merged`))['count']).toBe(1);
    expect((await read(`${space}/change-requests`))['count']).toBe(0);
    const late = await rig.send('POST', `${request}/content`, { token: author.token, body: insert('Late') });
    expect(refusal(late)).toEqual([409, 'change_request_merged', undefined]);
    expect((await update(request)).body).toEqual({ revision: (await read(request))['revision'], result: 'update' });
    expect(await read(`${request}/update`)).toMatchObject({ outdated: false, conflicts: [] });
  });

  it('are for those who may: merges with review, updates with edit', async () => {
    const { request } = await begin();
    expect(refusal(await merge(request, author))).toEqual([403, 'forbidden', undefined]);
    expect(refusal(await update(request, reader))).toEqual([403, 'forbidden', undefined]);
    expect((await rig.send('GET', `${request}/update`, { token: reader.token })).status).toBe(200);
    for (const action of ['merge', 'update'])
      expect((await rig.send('POST', `${request}none/${action}`)).status).toBe(404);
  });

  it('take over what is new in the space, and tell of conflicts until they are resolved', async () => {
    const { space, page, request } = await begin();
    await write(request, retitle(page, 'Ours'));
    expect((await update(request)).body['result']).toBe('update');
    await write(space, insert('More'), rig.owner);
    expect(await read(`${request}/update`)).toMatchObject({ outdated: true, conflicts: [] });
    const updated = await update(request);
    expect(updated.body).toEqual({ revision: expect.any(String), result: 'update' });
    expect(await read(request)).toMatchObject({ outdated: false, revision: updated.body['revision'] });
    await write(space, retitle(page, 'Theirs'), rig.owner);
    const refused = await merge(request);
    expect(refused.body).toMatchObject({
      result: 'conflicts',
      revision: updated.body['revision'],
      conflicts: [{ object: 'page-conflict', page: { id: page } }],
    });
    expect((await read(request))['status']).toBe('draft');
    const conflicting = await update(request);
    expect(conflicting.body).toMatchObject({
      result: 'conflicts',
      conflicts: get(refused.body, 'conflicts') as object,
    });
    expect(await read(`${request}/update`)).toMatchObject({ outdated: true, conflicts: [{ page: { id: page } }] });
    await write(request, retitle(page, 'Both'));
    expect(await read(`${request}/update`)).toMatchObject({ outdated: false, conflicts: [] });
    expect((await merge(request)).body['result']).toBe('merge');
  });

  it('obey the rules of the space, each of which is named when it fails', async () => {
    const rules = [
      { rule: 'require_change_request_subject' },
      { rule: 'require_change_request_description' },
      { rule: 'require_at_least_one_approved_review' },
      { rule: 'custom', expression: 'changeRequest.subject.includes("why")', message: 'Say why' },
      { rule: 'require_up_to_date_change_request' },
    ];
    const { space, request } = await begin({ mergeRules: { type: 'rules', rules } });
    await write(space, insert('New'), rig.owner);
    const refused = await merge(request);
    expect([refused.status, get(refused.body, 'error.reason')]).toEqual([412, 'merge_rules_failed']);
    expect(get(refused.body, 'error.details')).toEqual(
      [0, 1, 2, 3, 4].map((i) => ({ path: `mergeRules.rules[${i}]`, message: expect.any(String) })),
    );
    expect(get(refused.body, 'error.details.3.message')).toBe('Say why');
    const body = { subject: 'This is why', description: { markdown: 'Because' } };
    await rig.send('PATCH', request, { token: author.token, body });
    await update(request);
    const review = await rig.send('POST', `${request}/reviews`, {
      token: reviewer.token,
      body: { status: 'approved' },
    });
    expect(review.status).toBe(201);
    expect((await merge(request)).body['result']).toBe('merge');
  });

  it('obey the rules of the organization where the space inherits them, and let those pass who may bypass them', async () => {
    const rules = [{ rule: 'require_author_to_merge' }, { rule: 'allow_bypass', users: [rig.owner.id] }];
    const organization = `/orgs/${rig.organization}`;
    await rig.send('PATCH', organization, { body: { mergeRules: { type: 'rules', rules } } });
    const { request } = await begin();
    expect(refusal(await merge(request))).toEqual([412, 'merge_rules_failed', 'mergeRules.rules[0]']);
    expect((await merge(request, rig.owner)).status).toBe(200);
    const own = await begin({ mergeRules: { type: 'none' } });
    expect((await merge(own.request)).status).toBe(200);
    await rig.send('PATCH', organization, { body: { mergeRules: { type: 'none' } } });
  });

  it('are tried without a change', async () => {
    const { space, request } = await begin();
    await write(request, insert('Second'));
    const before = await read(space);
    expect((await merge(request, reviewer, '?dryRun=true')).body['result']).toBe('merge');
    expect([await read(space), (await read(request))['status']]).toEqual([before, 'draft']);
  });

  it('can be followed by more edits, once those who may review have reopened it', async () => {
    const { space, request } = await begin();
    await write(request, insert('Second'));
    const { body } = await merge(request);
    const reopen = ({ token }: Person, status = 'open') => rig.send('PATCH', request, { token, body: { status } });
    expect(refusal(await reopen(author))).toEqual([403, 'forbidden', 'body.status']);
    const reopened = (await reopen(reviewer)).body;
    expect(reopened).toMatchObject({ status: 'open', revisionMergedAncestor: body['revision'], outdated: false });
    for (const field of ['revisionMerged', 'mergedBy', 'mergedAt']) expect(reopened).not.toHaveProperty(field);
    await write(request, insert('Third'));
    expect((await merge(request)).body['result']).toBe('merge');
    const titles = (await read(`${space}/content/pages`))['pages'] as { title: string }[];
    expect(titles.map(({ title }) => title)).toEqual(['First', 'Second', 'Third']);
    for (const status of ['draft', 'archived']) {
      expect((await reopen(reviewer, status)).body['status']).toBe(status);
      expect((await merge(request)).status).toBe(200);
    }
  });

  it('all come to an end when there are fifty at once into one space', async () => {
    const { space, page } = await begin();
    const requests = await Promise.all(Array.from({ length: 50 }, () => beginIn(space)));
    await Promise.all(
      requests.map((request, i) => write(request, i % 10 === 0 ? retitle(page, `T ${i}`) : insert(`P ${i}`))),
    );
    const answers = await Promise.all(requests.map((request) => merge(request)));
    const results = answers.map(({ body }) => String(body['result']));
    expect([results.filter((r) => r === 'merge').length, results.filter((r) => r === 'conflicts').length]).toEqual([
      46, 4,
    ]);
    expect((await read(`${space}/change-requests?status=merged&limit=0`))['count']).toBe(46);
    expect((await read(`${space}/content/pages`))['pages']).toHaveLength(46);
  }, 120_000);

  it('are one when several merge the same at once', async () => {
    const { space, request } = await begin();
    await write(request, insert('Second'));
    const answers = await Promise.all([merge(request), merge(request, rig.owner), merge(request)]);
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect((await read(`${space}/revisions`))['count']).toBe(3);
  });

  it('answer the revision that the space has, also when several processes merge the same at once', async () => {
    await rig.replica('content');
    const { space } = await begin();
    for (const title of ['One', 'Two', 'Three', 'Four', 'Five', 'Six']) {
      const request = await beginIn(space);
      await write(request, insert(title));
      const answers = await Promise.all([merge(request), merge(request, rig.owner), merge(request), merge(request)]);
      const revisions = [...answers, { body: await read(space) }].map(({ body }) => body['revision']);
      expect(new Set([...revisions, (await read(request))['revisionMerged']]).size).toBe(1);
    }
  });

  /** Records what a process has begun that is gone then. */
  const begun = async (id: string, event: ChangeRequestEvent) => {
    const context = { actor: { kind: 'user' as const, id: reviewer.id }, operation: 'spec', correlation: 'spec' };
    await rig.store
      .scope({ ...context, organization: rig.organization }, {})
      .within({ space: event.data.space, changeRequest: id })
      .handle(changeRequest, id, () => [event]);
  };
  /** What is left of a merge whose process was gone directly after its begin. */
  const breakOff = async (request: string) => {
    const id = request.slice(request.lastIndexOf('/') + 1);
    const space = request.split('/')[2] ?? '';
    const head = String((await read(request))['revision']);
    const attempt = `attempt-of-${id}`;
    await begun(id, { type: 'ChangeRequestMergeBegan', data: { space, attempt, head } });
    return { id, input: { space, branch: id, attempt, expected: head } };
  };
  const timers = () => rig.store.database.collection<{ _id: string }>('op_timers');
  /** Makes the timer due that finishes an attempt, and waits until it has done so. */
  const settle = async (id: string, attempt = `attempt-of-${id}`) => {
    const timer = { _id: `settle_change_request:${id}:${attempt}` };
    await eventually(async () => (await timers().countDocuments(timer)) === 1);
    await timers().updateOne(timer, { $set: { due: 0 } });
    await eventually(async () => (await timers().countDocuments(timer)) === 0);
  };

  it('block the change request after they broke off, until the next merge finishes them', async () => {
    const { space, request } = await begin();
    await write(request, insert('Second'));
    await breakOff(request);
    const described = await rig.send('PATCH', request, { token: author.token, body: { subject: 'Late' } });
    expect(refusal(described)).toEqual([409, 'conflict', undefined]);
    expect((await read(request))['status']).toBe('draft');
    expect((await merge(request, rig.owner)).body).toEqual({
      result: 'merge',
      revision: (await read(space))['revision'],
    });
    expect(await read(request)).toMatchObject({ status: 'merged', mergedBy: { displayName: 'Re Viewer' } });
    expect((await rig.send('PATCH', request, { token: author.token, body: { subject: 'Late' } })).status).toBe(200);
  });

  it('are finished by a timer after they broke off, merged or not', async () => {
    const { space, page, request } = await begin();
    await write(request, insert('Second'));
    await settle((await breakOff(request)).id);
    await eventually(async () => (await read(request))['status'] === 'merged');
    expect((await read(`${space}/revisions`))['count']).toBe(3);
    const other = await beginIn(space);
    await write(other, retitle(page, 'Ours'));
    await write(space, retitle(page, 'Theirs'), rig.owner);
    await settle((await breakOff(other)).id);
    expect((await read(other))['status']).toBe('draft');
    expect((await rig.send('PATCH', other, { token: author.token, body: { status: 'open' } })).status).toBe(200);
    const revised = await beginIn(space);
    const broken = await breakOff(revised);
    await write(revised, insert('Unchecked'));
    await settle(broken.id);
    expect((await read(revised))['status']).toBe('draft');
    expect((await merge(revised)).body['result']).toBe('merge');
  });

  it('are recorded by the next request or a timer, when content carried them out', async () => {
    const ask = await connectAsker(rig);
    const { space } = await begin();
    const finish = [(request: string) => merge(request, rig.owner), (_: string, id: string) => settle(id)];
    for (const [i, finishNow] of finish.entries()) {
      const request = await beginIn(space);
      await write(request, insert(`Page ${i}`));
      const { id, input } = await breakOff(request);
      const merged = await ask(mergeBranch, input);
      expect([merged, (await read(request))['status']]).toMatchObject([{ result: 'merge' }, 'draft']);
      await finishNow(request, id);
      await eventually(async () => (await read(request))['status'] === 'merged');
      expect(await read(request)).toMatchObject({
        revisionMerged: get(merged, 'revision'),
        mergedBy: { displayName: 'Re Viewer' },
      });
      expect((await read(`${space}/revisions`))['count']).toBe(3 + i);
    }
    await ask.close();
  });

  it('get the requested status when they are reopened, also when the reopening breaks off', async () => {
    const { space, request } = await begin();
    await write(request, insert('Second'));
    await merge(request);
    const id = request.slice(request.lastIndexOf('/') + 1);
    await begun(id, {
      type: 'ChangeRequestReopeningBegan',
      data: { space: space.split('/')[2] ?? '', to: 'archived' },
    });
    expect((await read(request))['status']).toBe('merged');
    await settle(id, 'reopened');
    await eventually(async () => (await read(request))['status'] === 'archived');
    expect((await read(request))['outdated']).toBe(false);
    await write(request, insert('Third'));
    const merged = (await merge(request)).body;
    const ofMerges = { _id: { $gt: `settle_change_request:${id}:`, $lt: `settle_change_request:${id};` } };
    await eventually(async () => (await timers().countDocuments(ofMerges)) > 0);
    await eventually(async () => {
      await timers().updateMany(ofMerges, { $set: { due: 0 } });
      return (await timers().countDocuments(ofMerges)) === 0;
    });
    expect(await read(request)).toMatchObject({ status: 'merged', revisionMerged: merged['revision'] });
  });
});
