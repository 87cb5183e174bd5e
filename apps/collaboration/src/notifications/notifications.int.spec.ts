import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { followOperation, listNotifications, notificationKinds, type Notification } from '@scriptorium/contracts';
import type { Body } from '@scriptorium/testing';
import { eventually, get, startRig, type Answer, type Person, type Rig } from '../test/rig-with-store.js';

describe('notifications', () => {
  let rig: Rig;
  let org: string;
  let space: string;
  let ann: Person;
  let bob: Person;
  let cat: Person;
  beforeAll(async () => {
    rig = await startRig();
    org = `/orgs/${rig.organization}`;
    space = await newSpace();
    ann = await rig.member('Ann Author', 'edit');
    bob = await rig.member('Bob Brief', 'edit');
    cat = await rig.member('Cat Critic', 'comment');
    for (const { token } of [ann, bob, cat]) await rig.send('POST', '/user/notifications/read', { token });
  }, 60_000);
  afterAll(() => rig.stop());

  const newSpace = async (): Promise<string> =>
    `/spaces/${String((await rig.send('POST', `${org}/spaces`)).body['id'])}`;
  const post = async (path: string, markdown: string, { token }: Person): Promise<string> => {
    const { status, body } = await rig.send('POST', path, { token, body: { body: { markdown } } });
    expect(status).toBe(200);
    return `${path}/${String(body['id'])}`;
  };
  const idIn = (path: string) => path.split('/').at(-1);
  const mention = ({ id }: Person) => `Ask [@x](mention://user/${id})`;
  const list = async ({ token }: Person, query = '?unread=true'): Promise<Body> => {
    const { status, body } = await rig.send('GET', `/user/notifications${query}`, { token });
    expect(status).toBe(200);
    return body;
  };
  /** What somebody has not read, when it is as much as expected. It is marked as read. */
  const told = async (person: Person, least = 1): Promise<Body[]> => {
    await eventually(async () => (await list(person)).items.length >= least);
    const { items } = await list(person);
    await rig.send('POST', '/user/notifications/read', { token: person.token });
    return items;
  };
  const quiet = async (...people: Person[]): Promise<void> => {
    for (const person of people) expect((await list(person)).items).toEqual([]);
  };
  const refusal = ({ status, body }: Answer) => [status, body?.error?.reason, body?.error?.details?.[0]?.path];

  it('tell people that they are mentioned, but nobody of what they do themselves', async () => {
    const comment = await post(`${space}/comments`, `${mention(bob)} and ${mention(ann)}`, ann);
    const [item] = await told(bob);
    expect(item).toEqual({
      object: 'notification',
      id: expect.stringMatching(new RegExp(`_${bob.id}$`)),
      cursor: expect.stringMatching(/^\d+$/),
      kind: 'mentioned',
      createdAt: expect.stringMatching(/Z$/),
      read: false,
      actor: expect.objectContaining({ object: 'user', id: ann.id, displayName: 'Ann Author' }),
      organization: rig.organization,
      space: idIn(space),
      comment: idIn(comment),
      urls: {
        app: `https://docs.example/o/${rig.organization}/s/${idIn(space) ?? ''}`,
        location: `https://docs.example/v1${comment}`,
      },
    });
    await quiet(ann, cat);
  });

  it('tell the author of a comment, and who has replied, of further replies', async () => {
    const comment = await post(`${space}/comments`, 'First', ann);
    const first = await post(`${comment}/replies`, 'Second', bob);
    expect(await told(ann)).toMatchObject([
      { kind: 'comment_replied', comment: idIn(comment), reply: idIn(first), actor: { id: bob.id } },
    ]);
    const second = await post(`${comment}/replies`, mention(ann), cat);
    expect(await told(ann)).toMatchObject([
      { kind: 'mentioned', urls: { location: `https://docs.example/v1${second}` } },
    ]);
    expect(await told(bob)).toMatchObject([{ kind: 'comment_replied', reply: idIn(second) }]);
    await quiet(ann, bob, cat);
  });

  it('tell the author of a change request of comments on it', async () => {
    const made = await rig.send('POST', `${space}/change-requests`, { token: ann.token });
    const request = `${space}/change-requests/${String(made.body['id'])}`;
    const comment = await post(`${request}/comments`, 'Fine', cat);
    expect(await told(ann)).toMatchObject([
      {
        kind: 'comment_on_yours',
        changeRequest: made.body['id'],
        comment: idIn(comment),
        urls: {
          app: expect.stringMatching(new RegExp(`/~/changes/${String(made.body['number'])}$`)),
          location: `https://docs.example/v1${comment}`,
        },
      },
    ]);
    await post(`${request}/comments`, 'Own', ann);
    await quiet(ann, bob);
  });

  it('tell of requested reviews, reviews and merges', async () => {
    const made = await rig.send('POST', `${space}/change-requests`, { token: ann.token });
    const request = `${space}/change-requests/${String(made.body['id'])}`;
    const put = await rig.send('PUT', `${org}/teams`, { body: { title: 'Critics', members: [cat.id] } });
    const asked = { users: [bob.id], teams: [put.body['id']] };
    const asking = await rig.send('POST', `${request}/requested-reviewers`, { token: ann.token, body: asked });
    expect(asking.status).toBe(200);
    const about = { changeRequest: made.body['id'], actor: { id: ann.id } };
    for (const person of [bob, cat]) expect(await told(person)).toMatchObject([{ kind: 'review_requested', ...about }]);
    const body = { status: 'approved', comment: { markdown: `Good ${mention(cat)}` } };
    const review = await rig.send('POST', `${request}/reviews`, { token: bob.token, body });
    expect(review.status).toBe(201);
    expect(await told(ann)).toMatchObject([{ kind: 'review_submitted', review: review.body['id'] }]);
    expect(await told(cat)).toMatchObject([{ kind: 'mentioned', review: review.body['id'] }]);
    expect((await rig.send('POST', `${request}/merge`)).status).toBe(200);
    for (const person of [ann, bob])
      expect(await told(person)).toMatchObject([{ kind: 'change_request_merged', actor: { id: rig.owner.id } }]);
  });

  it('tell people who are added to an organization', async () => {
    const dan = await rig.person('Dan Drafted');
    await rig.send('POST', `${org}/invites`, { body: { emails: [dan.email], role: 'read' } });
    expect(await told(dan)).toMatchObject([
      { kind: 'invited', actor: { id: rig.owner.id }, urls: { location: `https://docs.example/v1${org}` } },
    ]);
  });

  it('are listed the newest first, in pages, with their number', async () => {
    for (const text of ['1', '2', '3']) await post(`${space}/comments`, `${text} ${mention(cat)}`, ann);
    await eventually(async () => (await list(cat)).items.length === 3);
    const { items, count, next } = (await list(cat, '?limit=2&unread=true')) as Body & { next: { page: string } };
    expect([items.length, count]).toEqual([2, 3]);
    const rest = await list(cat, `?limit=2&unread=true&page=${next.page}`);
    const times = [...items, ...rest.items].map(({ createdAt }) => String(createdAt));
    expect([times.length, times]).toEqual([3, times.toSorted().toReversed()]);
    expect(refusal(await rig.send('GET', `/user/notifications?page=${next.page}`, { token: cat.token }))).toEqual([
      400,
      'invalid_request',
      'query.page',
    ]);
    expect(await list(cat, '?limit=0&unread=true')).toEqual({ items: [], count: 3 });
    await told(cat);
  });

  it('are marked as read one by one or all at once, only by whom they tell', async () => {
    for (const text of ['1', '2', '3']) await post(`${space}/comments`, `${text} ${mention(cat)}`, ann);
    await eventually(async () => (await list(cat)).items.length === 3);
    const [newest] = (await list(cat)).items;
    const one = `/user/notifications/${String(newest?.['id'])}/read`;
    const status = async (path: string, { token }: Person) => (await rig.send('POST', path, { token })).status;
    expect(await status(one, bob)).toBe(404);
    expect(await status('/user/notifications/unknown/read', cat)).toBe(404);
    expect(await status(one, cat)).toBe(204);
    expect(await status(one, cat)).toBe(204);
    expect((await list(cat)).items.map(({ id }) => id)).not.toContain(newest?.['id']);
    const all = (await list(cat, '')).items;
    expect(all.slice(0, 3).map(({ read }) => read)).toEqual([true, false, false]);
    expect(await status('/user/notifications/read', cat)).toBe(204);
    expect((await list(cat)).count).toBe(0);
    await post(`${space}/comments`, mention(cat), ann);
    expect(await told(cat)).toHaveLength(1);
  });

  it('are of the kinds that people want', async () => {
    const path = `${org}/notification-settings`;
    const all = Object.fromEntries(notificationKinds.map((kind) => [kind, true]));
    const preset = { object: 'notification-settings', inbox: all, email: 'daily' };
    expect((await rig.send('GET', path, { token: bob.token })).body).toEqual(preset);
    await post(`${space}/comments`, mention(bob), ann);
    await eventually(async () => (await list(bob)).count === 1);
    const patch = (body: object) => rig.send('PATCH', path, { token: bob.token, body });
    expect((await patch({ inbox: { mentioned: false }, email: 'off' })).body).toEqual({
      ...preset,
      inbox: { ...all, mentioned: false },
      email: 'off',
    });
    expect((await list(bob, '')).items.map(({ kind }) => kind)).not.toContain('mentioned');
    expect((await rig.send('GET', path, { token: ann.token })).body).toEqual(preset);
    await patch({ inbox: { mentioned: true } });
    expect((await rig.send('GET', path, { token: bob.token })).body).toEqual({ ...preset, email: 'off' });
    expect(await told(bob)).toHaveLength(1);
    const unknown = await patch({ inbox: { painted: true } });
    expect(refusal(unknown)).toEqual([400, 'invalid_request', 'body.inbox']);
    expect(unknown.body.error.message).toContain('painted');
    expect(refusal(await patch({ inbox: { mentioned: 'yes' } }))).toEqual([
      400,
      'invalid_request',
      'body.inbox.mentioned',
    ]);
    expect(refusal(await patch({ email: 'hourly' }))).toEqual([400, 'invalid_request', 'body.email']);
    const stranger = await rig.person('Stran Ger');
    expect((await rig.send('GET', path, { token: stranger.token })).status).toBe(404);
  });

  it('are judged by what people may view when they read', async () => {
    const secret = await newSpace();
    await post(`${secret}/comments`, mention(bob), ann);
    await eventually(async () => (await list(bob)).count === 1);
    const [item] = (await list(bob)).items;
    await rig.send('POST', `${secret}/permissions`, { body: { users: [bob.id], role: null } });
    await eventually(async () => (await list(bob)).count === 0);
    const read = `/user/notifications/${String(item?.['id'])}/read`;
    expect((await rig.send('POST', read, { token: bob.token })).status).toBe(404);
    await rig.send('DELETE', `${secret}/permissions/users/${bob.id}`);
    await eventually(async () => (await list(bob)).count === 1);
    await rig.send('DELETE', secret);
    await eventually(async () => (await list(bob)).count === 0);
  });

  it('go with the comment or reply that they tell of', async () => {
    const comment = await post(`${space}/comments`, mention(bob), ann);
    const reply = await post(`${comment}/replies`, mention(bob), ann);
    await eventually(async () => (await list(bob)).count === 2);
    await rig.send('DELETE', reply, { token: ann.token });
    await eventually(async () => (await list(bob)).count === 1);
    await rig.send('DELETE', comment, { token: ann.token });
    await eventually(async () => (await list(bob)).count === 0);
  });

  it('tell of an edit whom it mentions for the first time', async () => {
    const comment = await post(`${space}/comments`, mention(bob), ann);
    const reply = await post(`${comment}/replies`, 'Well', ann);
    await told(bob);
    const edit = (path: string, text: string) =>
      rig.send('PUT', path, { token: ann.token, body: { body: { markdown: text } } });
    expect((await edit(comment, `${mention(bob)} ${mention(cat)}`)).status).toBe(200);
    expect(await told(cat)).toMatchObject([{ kind: 'mentioned', comment: idIn(comment), actor: { id: ann.id } }]);
    expect((await edit(reply, mention(bob))).status).toBe(200);
    expect(await told(bob)).toMatchObject([{ kind: 'mentioned', reply: idIn(reply) }]);
    await quiet(bob, cat);
  });

  it('are deleted when they are too old to be shown', async () => {
    await post(`${space}/comments`, mention(bob), ann);
    await eventually(async () => (await list(bob)).items.length === 1);
    const [item] = (await list(bob)).items;
    const docs = rig.store.database.collection<{ _id: string; day?: string }>('notification_v4');
    const old = { _id: String(item?.['id']) };
    await docs.updateOne(old, { $set: { day: '2020-02-29' } });
    const timers = rig.store.database.collection<{ _id: string }>('op_timers');
    await eventually(async () => {
      await timers.updateOne({ _id: 'expire_notifications' }, { $set: { due: 0 } });
      return (await docs.countDocuments({ ...old, day: { $exists: true } })) === 0;
    });
    await quiet(bob);
    // It comes again the next day, since there are others.
    await eventually(async () => (await timers.countDocuments({ _id: 'expire_notifications' })) === 1);
  });

  it('can be read behind a cursor, the oldest first', async () => {
    const start = String(get(await list(bob, '?after=now'), 'next.page'));
    for (const text of ['1', '2', '3']) await post(`${space}/comments`, `${text} ${mention(bob)}`, ann);
    await eventually(async () => (await list(bob, `?after=${start}`)).items.length === 3);
    const { items, more, next } = (await list(bob, `?after=${start}&limit=2`)) as Body & { next: { page: string } };
    expect([items.length, more, next.page]).toEqual([2, true, items[1]?.['cursor']]);
    expect(await list(bob, `?after=${next.page}`)).toMatchObject({ items: [{ kind: 'mentioned' }], more: false });
    const both = await rig.send('GET', `/user/notifications?after=now&page=a.0123456789abcdef`, { token: bob.token });
    expect(refusal(both)).toEqual([400, 'invalid_request', 'query.page']);
    const unknown = await rig.send('GET', '/user/notifications?after=999999999999999', { token: bob.token });
    expect(refusal(unknown)).toEqual([400, 'invalid_request', 'query.after']);
    await told(bob);
  });

  it('are followed live by two people, each by their own, and continue after a reconnect', async () => {
    const follow = ({ token }: Person, after = 'now') => {
      const received: Notification[] = [];
      const stopping = new AbortController();
      const over = (async () => {
        const options = { endpoint: rig.endpoint, token };
        for await (const item of followOperation(options, listNotifications, { query: { after } }, stopping.signal))
          received.push(item);
      })();
      return { received, stop: () => (stopping.abort(), over) };
    };
    const [first, second] = [follow(bob), follow(cat)];
    const start = String(get(await list(bob, '?after=now'), 'next.page'));
    // Streams begin at some moment: each is told until it has something.
    let sent = 0;
    await eventually(async () => {
      await post(`${space}/comments`, `${(sent += 1)} ${mention(bob)} ${mention(cat)}`, ann);
      return first.received.length > 0 && second.received.length > 0;
    });
    const before = first.received.length;
    const comment = await post(`${space}/comments`, mention(bob), ann);
    await eventually(() => first.received.some((item) => item.comment === idIn(comment)));
    expect(second.received.some((item) => item.comment === idIn(comment))).toBe(false);
    await Promise.all([first.stop(), second.stop()]);
    const again = follow(bob, first.received[before - 1]?.cursor ?? start);
    await eventually(() => again.received.some((item) => item.comment === idIn(comment)));
    expect(again.received.map(({ id }) => id)).toEqual(first.received.slice(before).map(({ id }) => id));
    await again.stop();
  }, 60_000);

  it('are streamed from the oldest one, or from the one after Last-Event-ID', async () => {
    const read = async (headers: Record<string, string>, least: number): Promise<string[]> => {
      const stopping = new AbortController();
      const response = await fetch(`${rig.endpoint}/v1/user/notifications?limit=1000`, {
        headers: { accept: 'text/event-stream', authorization: `Bearer ${bob.token}`, ...headers },
        signal: stopping.signal,
      });
      expect(response.headers.get('content-type')).toContain('text/event-stream');
      const ids: string[] = [];
      for await (const part of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
        for (const [, json = ''] of part.matchAll(/^data: (\{.+\})$/gm))
          ids.push(String((JSON.parse(json) as { id: string }).id));
        if (ids.length >= least) break;
      }
      stopping.abort();
      return ids;
    };
    const all = (await list(bob, '?after=0&limit=1000')).items;
    expect(await read({}, all.length)).toEqual(all.map(({ id }) => id));
    const behind = { 'last-event-id': String(all[1]?.['cursor']) };
    expect(await read(behind, all.length - 2)).toEqual(all.slice(2).map(({ id }) => id));
  }, 60_000);
});
