import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { changeRequest } from '../change-requests/index.js';
import { eventually, get, startRig, type Answer, type Person, type Rig } from '../test/rig-with-store.js';

describe('reviews of change requests', () => {
  let rig: Rig;
  let org: string;
  let space: string;
  let author: Person;
  let editor: Person;
  let reviewer: Person;
  let commenter: Person;
  beforeAll(async () => {
    rig = await startRig();
    org = `/orgs/${rig.organization}`;
    author = await rig.member('Au Thor', 'edit');
    editor = await rig.member('Ed Itor', 'edit');
    reviewer = await rig.member('Re Viewer', 'review');
    commenter = await rig.member('Com Menter', 'comment');
    space = `/spaces/${String((await rig.send('POST', `${org}/spaces`)).body['id'])}`;
  }, 60_000);
  afterAll(() => rig.stop());

  const begin = async (body: object = {}) => {
    const made = await rig.send('POST', `${space}/change-requests`, { token: author.token, body });
    return `${space}/change-requests/${String(made.body['id'])}`;
  };
  const review = (request: string, body: object, { token }: Person = reviewer) =>
    rig.send('POST', `${request}/reviews`, { token, body });
  const ask = (request: string, body: object, { token }: Person = author) =>
    rig.send('POST', `${request}/requested-reviewers`, { token, body });
  const withdraw = (request: string, whose: string, { token }: Person = author) =>
    rig.send('DELETE', `${request}/requested-reviewers/${whose}`, { token });
  const read = async (path: string) => (await rig.send('GET', path)).body;
  const asked = async (request: string) =>
    (await read(`${request}/requested-reviewers`)).items.map((item) => get(item, `${String(item['kind'])}.id`));
  const refusal = ({ status, body }: Answer) => [status, body?.error?.reason, body?.error?.details?.[0]?.path];
  const newTeam = async (title: string, members: string[]) =>
    String((await rig.send('PUT', `${org}/teams`, { body: { title, members } })).body['id']);
  const approves = { status: 'approved' };
  const revise = (request: string) =>
    rig.send('POST', `${request}/content`, {
      token: author.token,
      body: { changes: [{ operation: 'insert_page', title: 'New', document: { markdown: 'x' } }] },
    });

  it('are submitted by those who may review, and are outdated with the next revision', async () => {
    const request = await begin();
    const first = await review(request, { status: 'changes-requested' });
    expect(first.status).toBe(201);
    const { revision } = await read(request);
    expect(first.body).toMatchObject({
      object: 'change-request-review',
      status: 'changes-requested',
      revision,
      outdated: false,
      reviewer: { displayName: 'Re Viewer' },
    });
    for (const field of ['comment', 'requestedBy']) expect(first.body).not.toHaveProperty(field);
    const one = `${request}/reviews/${String(first.body['id'])}`;
    expect(get(first.body, 'urls.location')).toBe(`https://docs.example/v1${one}`);
    expect(await read(one)).toEqual(first.body);
    await revise(request);
    expect((await read(one))['outdated']).toBe(true);
    const second = await review(request, approves);
    const listed = async (query = '') =>
      (await read(`${request}/reviews${query}`)).items.map(({ id }) =>
        [first, second].findIndex((r) => r.body['id'] === id),
      );
    expect(await listed()).toEqual([0, 1]);
    expect(await listed('?outdated=true')).toEqual([0]);
    expect(await listed('?outdated=false')).toEqual([1]);
    const page = await read(`${request}/reviews?limit=1`);
    const next = encodeURIComponent(String(get(page, 'next.page')));
    expect((await read(`${request}/reviews?limit=1&page=${next}`)).items).toHaveLength(1);
    expect((await rig.send('GET', `${request}/reviews/unknown`)).status).toBe(404);
    expect((await rig.send('GET', `${await begin()}/reviews/${String(first.body['id'])}`)).status).toBe(404);
    expect(refusal(await review(request, { status: 'fine' }))).toEqual([400, 'invalid_request', 'body.status']);
  });

  it('are refused to the author, and to others who may not review and are not asked to', async () => {
    const request = await begin();
    expect((await review(request, approves, author)).status).toBe(403);
    const own = await rig.send('POST', `${space}/change-requests`, { token: reviewer.token });
    expect((await review(`${space}/change-requests/${String(own.body['id'])}`, approves)).status).toBe(403);
    for (const person of [editor, commenter]) expect((await review(request, approves, person)).status).toBe(403);
    await ask(request, { users: [commenter.id] });
    const answer = await review(request, approves, commenter);
    expect([answer.status, get(answer.body, 'requestedBy.displayName')]).toEqual([201, 'Au Thor']);
    expect((await review(request, approves, commenter)).status).toBe(403);
  });

  it('are submitted again after a new revision, also by somebody who was asked once', async () => {
    const request = await begin();
    await ask(request, { users: [commenter.id] });
    const counts = async () => {
      const [all, old, people] = await Promise.all([
        read(`${request}/reviews`),
        read(`${request}/reviews?outdated=true`),
        read(`${request}/contributors`),
      ]);
      const own = people.items.filter((item) => item['actionType'] === 'review').map((item) => item['count']);
      return [all['count'], old['count'], (await read(`${request}/requested-reviewers`))['count'], own];
    };
    const first = await review(request, { status: 'changes-requested' }, commenter);
    expect([first.status, await counts()]).toEqual([201, [1, 0, 0, [1]]]);
    expect((await review(request, approves, commenter)).status).toBe(403);
    for (const number of [2, 3]) {
      await revise(request);
      const again = await review(request, approves, commenter);
      expect([again.status, again.body['outdated'], again.body['requestedBy']]).toEqual([201, false, undefined]);
      expect(await counts()).toEqual([number, number - 1, 0, [number]]);
    }
    expect((await read(`${request}/reviews/${String(first.body['id'])}`))['outdated']).toBe(true);
    await review(request, approves, reviewer);
    await revise(request);
    expect((await review(request, approves, editor)).status).toBe(403);
    expect((await review(request, { status: 'changes-requested' }, reviewer)).status).toBe(201);
  });

  it('come with a comment of the change request', async () => {
    const request = await begin();
    const comment = { markdown: 'Well **done**' };
    const { body } = await review(request, { ...approves, comment });
    expect(body).toMatchObject({
      comment: {
        body: { markdown: 'Well **done**\n' },
        target: { review: body['id'] },
        postedBy: { displayName: 'Re Viewer' },
      },
    });
    expect((await read(request))['comments']).toBe(1);
    const posted = `${request}/comments/${String(get(body, 'comment.id'))}`;
    expect((await read(posted))['target']).toMatchObject({ review: body['id'] });
    const shown = await read(`${request}/reviews/${String(body['id'])}?format=document`);
    expect(get(shown, 'comment.body.document.object')).toBe('document');
    await rig.send('DELETE', posted);
    expect(await read(`${request}/reviews/${String(body['id'])}`)).not.toHaveProperty('comment');
    expect(refusal(await review(request, { ...approves, comment: { markdown: ' ' } }))).toEqual([
      400,
      'invalid_request',
      'body.comment.markdown',
    ]);
    const tried = await rig.send('POST', `${request}/reviews?dryRun=true`, {
      token: reviewer.token,
      body: { ...approves, comment },
    });
    expect([tried.status, get(tried.body, 'comment.body.markdown')]).toEqual([201, 'Well **done**\n']);
    expect([(await read(`${request}/reviews`))['count'], (await read(`${request}/comments`))['count']]).toEqual([1, 0]);
  });

  it('get their comment also when the request broke off before it was posted, and once', async () => {
    const timers = rig.store.database.collection<{ _id: string }>('op_timers');
    const due = async (id: string) => {
      const timer = { _id: `post_review_comment:${id}` };
      await eventually(async () => (await timers.countDocuments(timer)) === 1);
      await timers.updateOne(timer, { $set: { due: 0 } });
      await eventually(async () => (await timers.countDocuments(timer)) === 0);
    };
    const request = await begin();
    const { body } = await review(request, { ...approves, comment: { markdown: 'At once' } });
    await due(String(body['id']));
    expect((await read(`${request}/comments`))['count']).toBe(1);
    const id = String((await read(request))['id']);
    const [of, comment] = [space.slice('/spaces/'.length), `comment-of-${id}`];
    const texts = rig.store.database.collection<{ _id: string; json: string }>('op_texts');
    const [said] = await texts.find({ json: /At once/ }).toArray();
    await texts.insertOne({ _id: `${of}/${comment}/later`, json: String(said?.json).replace('At once', 'Later') });
    const context = { actor: { kind: 'user' as const, id: reviewer.id }, operation: 'spec', correlation: 'spec' };
    const written = { comment, text: 'later', bytes: 100, mentions: [] };
    const about = { space: of, review: `review-of-${id}`, revision: String((await read(request))['revision']) };
    const data = { ...about, status: 'approved' as const, requestedBy: null, teams: [], comment: written };
    await rig.store
      .scope({ ...context, organization: rig.organization }, {})
      .within({ space: of, changeRequest: id })
      .handle(changeRequest, id, () => [{ type: 'ReviewSubmitted' as const, data }]);
    await due(about.review);
    await eventually(async () => (await read(`${request}/comments`))['count'] === 2);
    expect(get((await read(`${request}/reviews`)).items.at(-1), 'comment')).toMatchObject({
      body: { markdown: 'Later\n' },
      postedBy: { id: reviewer.id },
      target: { review: about.review },
    });
  });

  it('are answered again for the same key, also when the request for them is met', async () => {
    const request = await begin();
    await ask(request, { users: [commenter.id] });
    const send = () =>
      rig.send('POST', `${request}/reviews`, {
        token: commenter.token,
        headers: { 'idempotency-key': 'once' },
        body: approves,
      });
    const first = await send();
    await rig.store.database.collection('op_answers').deleteMany({});
    const again = await send();
    expect([first.status, again.status, again.body['id']]).toEqual([201, 201, first.body['id']]);
    expect((await read(`${request}/reviews`))['count']).toBe(1);
  });

  it('are requested of people, which opens a draft', async () => {
    const request = await begin();
    const answer = await ask(request, { users: [reviewer.id, commenter.id, reviewer.id] }, editor);
    expect(answer.status).toBe(200);
    const users = answer.body['users'] as object[];
    expect(users).toHaveLength(2);
    expect(users[0]).toMatchObject({
      object: 'change-request-requested-reviewer',
      kind: 'user',
      requestedBy: { displayName: 'Ed Itor' },
      revision: (await read(request))['revision'],
    });
    expect((await read(request))['status']).toBe('open');
    expect((await asked(request)).sort()).toEqual([reviewer.id, commenter.id].sort());
    await ask(request, { users: [reviewer.id] });
    expect(await asked(request)).toHaveLength(2);
    await review(request, approves);
    expect(await asked(request)).toEqual([commenter.id]);
    await ask(request, { users: [reviewer.id] });
    expect((await asked(request)).sort()).toEqual([reviewer.id, commenter.id].sort());
  });

  it('are requested with a subject and description by those who may change these', async () => {
    const request = await begin();
    const wanted = { users: [reviewer.id], subject: 'Please look', description: { markdown: 'Here' } };
    expect(refusal(await ask(request, wanted, editor))).toEqual([403, 'forbidden', undefined]);
    expect([await asked(request), (await read(request))['status']]).toEqual([[], 'draft']);
    expect((await ask(request, wanted)).status).toBe(200);
    expect(await read(request)).toMatchObject({
      status: 'open',
      subject: 'Please look',
      description: { object: 'document' },
    });
  });

  it('are not requested of those who could not review', async () => {
    const request = await begin();
    const stranger = await rig.person('Stran Ger');
    expect(refusal(await ask(request, { users: [reviewer.id, stranger.id] }))).toEqual([
      400,
      'invalid_request',
      'body.users[1]',
    ]);
    expect(refusal(await ask(request, { users: [author.id] }))).toEqual([400, 'invalid_request', 'body.users[0]']);
    expect(refusal(await ask(request, { teams: ['unknown'] }))).toEqual([400, 'invalid_request', 'body.teams[0]']);
    expect(refusal(await ask(request, {}))).toEqual([400, 'invalid_request', 'body.users']);
    expect((await ask(request, { users: [reviewer.id] }, commenter)).status).toBe(403);
    expect(await asked(request)).toEqual([]);
  });

  it('are requested of teams, of which the first review of a member counts', async () => {
    const team = await newTeam('Proof readers', [commenter.id, editor.id]);
    const request = await begin();
    const answer = await ask(request, { teams: [team] });
    expect(answer.body['teams']).toMatchObject([{ kind: 'team', team: { id: team } }]);
    expect(answer.body['users']).toMatchObject([{ team: { id: team } }, { team: { id: team } }]);
    await ask(request, { users: [reviewer.id] });
    const list = await read(`${request}/requested-reviewers?limit=1`);
    expect([list.items.length, list['count']]).toEqual([1, 2]);
    expect(list['teams']).toMatchObject([{ kind: 'team', team: { id: team } }]);
    const users = (list['users'] as object[]).map((item) => [get(item, 'user.id'), get(item, 'team.id')]);
    expect(users[0]).toEqual([reviewer.id, undefined]);
    expect(users.slice(1).sort()).toEqual([commenter.id, editor.id].sort().map((id) => [id, team]));
    await withdraw(request, reviewer.id);
    expect((await read(request))['status']).toBe('open');
    const find = async (user: Person) =>
      (await read(`${space}/change-requests?requestedReviewer=${user.id}`)).items.some(({ id }) =>
        request.endsWith(String(id)),
      );
    expect([await find(commenter), await find(reviewer)]).toEqual([true, false]);
    expect((await review(request, approves, commenter)).status).toBe(201);
    expect(await asked(request)).toEqual([]);
    expect(await find(commenter)).toBe(false);
    await ask(request, { teams: [team] });
    expect((await withdraw(request, `teams/${team}`, commenter)).status).toBe(403);
    expect((await withdraw(request, `teams/${team}`)).status).toBe(205);
    expect((await withdraw(request, `teams/${team}`)).status).toBe(204);
  });

  it('are withdrawn by who requested them, who is asked, the author and those who may review', async () => {
    const request = await begin();
    const bystander = await rig.member('By Stander', 'edit');
    await ask(request, { users: [commenter.id] }, editor);
    expect((await withdraw(request, commenter.id, bystander)).status).toBe(403);
    for (const person of [editor, commenter, author, reviewer]) {
      await ask(request, { users: [commenter.id] }, editor);
      expect((await withdraw(request, commenter.id, person)).status).toBe(205);
      expect((await withdraw(request, commenter.id, person)).status).toBe(204);
    }
    expect((await withdraw(`${request}unknown`, commenter.id)).status).toBe(404);
  });

  it('are found by whom they are requested of, in a space and in an organization', async () => {
    const request = await begin();
    await ask(request, { users: [reviewer.id] });
    const query = `change-requests?requestedReviewer=${reviewer.id}`;
    for (const place of [space, org]) {
      const { items } = await read(`${place}/${query}`);
      expect(items.map(({ id }) => request.endsWith(String(id)))).toContain(true);
    }
    await review(request, approves);
    expect((await read(`${space}/${query}`)).items.map(({ id }) => request.endsWith(String(id)))).not.toContain(true);
  });

  it('end with the team, and with the stay in the organization, for good', async () => {
    const request = await begin();
    const leaver = await rig.member('Lea Ver', 'comment');
    const team = await newTeam('Short lived', [editor.id]);
    await ask(request, { users: [leaver.id], teams: [team] });
    await rig.send('DELETE', `${org}/members/${leaver.id}`);
    await rig.send('DELETE', `${org}/teams/${team}`);
    await eventually(async () => (await asked(request)).length === 0);
    const listed = await read(`${space}/change-requests?requestedReviewer=${leaver.id}`);
    expect(listed['count']).toBe(0);
    expect((await review(request, approves, leaver)).status).toBe(404);
  });

  it('count as contributions with comments and edits, listed by count and name', async () => {
    const request = await begin();
    await revise(request);
    await revise(request);
    await review(request, { ...approves, comment: { markdown: 'Fine' } });
    const [first, second] = [await rig.member('Zoe Last', 'comment'), await rig.member('Abe First', 'comment')];
    for (const { token } of [first, second])
      await rig.send('POST', `${request}/comments`, { token, body: { body: { markdown: 'Hm' } } });
    const items: unknown[] = [];
    for (let next = ''; ;) {
      const page = await read(`${request}/contributors?limit=2${next}`);
      for (const { user, actionType, count } of page.items)
        items.push([get({ user }, 'user.displayName'), actionType, count]);
      if (get(page, 'next.page') === undefined) break;
      next = `&page=${String(get(page, 'next.page'))}`;
    }
    expect(items).toEqual([
      ['Au Thor', 'edit', 2],
      ['Abe First', 'comment', 1],
      ['Re Viewer', 'comment', 1],
      ['Re Viewer', 'review', 1],
      ['Zoe Last', 'comment', 1],
    ]);
  });
});
