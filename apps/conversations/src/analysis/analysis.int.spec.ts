import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@scriptorium/testing';
import { analysed, miscounted, seenClusters } from '../test/analysed.js';
import { refusal, said, startConversationRig, type ConversationRig } from '../test/conversation-rig.js';
import { get } from '../test/rig.js';

const subjects = {
  card: ['My bank card has not arrived', 'When does my new bank card arrive?', 'The bank card did not arrive yet'],
  rate: ['The exchange rate is wrong', 'Why is the exchange rate wrong today?', 'Wrong exchange rate on my transfer'],
  export: ['The PDF export fails', 'PDF export of my pages fails', 'Export as PDF fails with an error'],
};

let world: ConversationRig;
let clusters: string;
beforeAll(async () => {
  world = await startConversationRig();
  clusters = `${world.org}/conversations-clusters`;
  const all = Object.entries(subjects).flatMap(([name, texts]) => texts.map((text, n) => said(`${name}-${n}`, text)));
  await world.ingest(all);
  await world.ingest([said('thanks', 'Thank you!'), said('word', 'Help'), said('emoji', '🎉🎉')]);
  await analysed(world);
}, 90_000);
afterAll(() => world.rig.stop());

const clusterOf = async (externalId: string): Promise<string | undefined> => {
  const conversation = await world.idOf(externalId);
  const { items } = await world.done('GET', `${world.org}/conversations-issues?conversation=${conversation}`);
  return get(items[0], 'issue.cluster') as string | undefined;
};

describe('issues of conversations', () => {
  it('are found, and those that are alike are in one cluster', async () => {
    for (const name of Object.keys(subjects)) {
      const found = await Promise.all([0, 1, 2].map((n) => clusterOf(`${name}-${n}`)));
      expect([name, new Set(found).size, found[0]]).toEqual([name, 1, expect.any(String)]);
    }
    expect(new Set(await Promise.all(Object.keys(subjects).map((name) => clusterOf(`${name}-0`)))).size).toBe(3);
  });

  it('are none in thanks, a word and signs', async () => {
    for (const id of ['thanks', 'word', 'emoji']) {
      const conversation = await world.idOf(id);
      expect((await world.done('GET', `${world.org}/conversations-issues?conversation=${conversation}`))['count']).toBe(
        0,
      );
      const { conversation: shown } = await world.done('GET', `${world.org}/conversations/${conversation}`);
      expect(get(shown, 'processedAt')).toEqual(expect.any(String));
    }
  });

  it('are shown with their conversation, and why they are in their cluster', async () => {
    const conversation = await world.idOf('rate-1');
    const { items } = await world.done('GET', `${world.org}/conversations-issues?conversation=${conversation}`);
    const path = `${world.org}/conversations-issues/${String(get(items[0], 'issue.id'))}`;
    const { body } = await world.send('GET', path, undefined, world.reader.token);
    expect(body).toMatchObject({
      issue: { title: 'Why is the exchange rate wrong today?', conversation, analyzer: 'extractive' },
      conversation: { externalId: 'rate-1' },
    });
    expect(get(body, 'issue.why')).toContain('exchang');
    expect((await world.send('GET', `${world.org}/conversations-issues/none`)).status).toBe(404);
  });

  it('have no personal data in titles, summaries and labels', async () => {
    await world.ingest(said('personal', 'Why does ann@example.org get no invoice mail at +49 170 1234567?'));
    await analysed(world);
    const listed = await world.done('GET', `${world.org}/conversations-issues?limit=1000`);
    const shown = JSON.stringify([listed, await world.done('GET', `${clusters}?limit=1000`)]);
    expect(shown).toContain('[e-mail]');
    expect(shown).not.toMatch(/ann@example|1234567/);
  });

  it('of other languages are found, in clusters of their own', async () => {
    const texts = {
      zh: '为什么导出文件的时候总是失败？请告诉我怎么办。',
      th: 'ทำไมการส่งออกไฟล์จึงล้มเหลวทุกครั้ง ช่วยบอกวิธีแก้ไขด้วย',
      ar: 'لماذا يفشل تصدير الملف في كل مرة؟ أخبروني ماذا أفعل من فضلكم',
    };
    await world.ingest(Object.entries(texts).map(([id, text]) => said(id, text)));
    await analysed(world);
    const found = await Promise.all([...Object.keys(texts), 'export-0'].map(clusterOf));
    expect(found).not.toContain(undefined);
    expect(new Set(found).size).toBe(4);
  });

  it('are looked for in hostile texts in time', async () => {
    const bodies = [
      '<'.repeat(65_536),
      '<b>'.repeat(20_000),
      '🎉'.repeat(30_000),
      '> '.repeat(30_000),
      '(((('.repeat(16_000),
    ];
    await world.ingest([...bodies.map((body, n) => said(`hostile-${n}`, body)), said('last', 'Where is my parcel?')]);
    await analysed(world);
    expect(await clusterOf('last')).toEqual(expect.any(String));
  });

  it('follow what a conversation says now', async () => {
    await world.ingest(said('changing', 'How do I delete my account for good?'));
    await analysed(world);
    const before = await clusterOf('changing');
    await world.ingest(said('changing', 'The exchange rate is wrong again'));
    await analysed(world);
    expect(await clusterOf('changing')).toBe(await clusterOf('rate-0'));
    expect((await world.send('GET', `${clusters}/${String(before)}`)).status).toBe(404);
    expect(miscounted(await seenClusters(world))).toEqual([]);
  });
});

describe('a cluster', () => {
  it('has a label, counts, sources and a pulse', async () => {
    const { body } = await world.send(
      'GET',
      `${clusters}/${String(await clusterOf('card-0'))}`,
      undefined,
      world.reader.token,
    );
    expect(body).toMatchObject({
      object: 'issues-cluster',
      icon: 'circle-question',
      status: 'pending',
      stats: { issues: 3, conversations: 3 },
      sources: { api: 3 },
      weeklyPulse: [...new Array<number>(12).fill(0), 3],
    });
    expect(String(body['label'])).toMatch(/card/i);
  });

  it('is listed in the wanted order', async () => {
    const { items } = await world.done('GET', `${clusters}?orderBy=issues&order=desc&minIssues=2`);
    const sizes = items.map((one) => Number(get(one, 'stats.issues')));
    expect(sizes).toEqual([...sizes].sort((a, b) => b - a));
    expect(Math.min(...sizes)).toBeGreaterThan(1);
    expect((await world.done('GET', `${clusters}?status=analysing`))['count']).toBe(0);
    expect((await world.done('GET', `${clusters}?source=email`))['count']).toBe(0);
    expect(refusal(await world.send('GET', `${clusters}?orderBy=size`))).toEqual([
      400,
      'invalid_request',
      'query.orderBy',
    ]);
  });

  it('is named and pinned by a person, whose words stay', async () => {
    const path = `${clusters}/${String(await clusterOf('export-0'))}`;
    const changed = await world.done('PATCH', path, { label: 'Exports', pinned: true });
    expect(changed).toMatchObject({ label: 'Exports', pinned: true });
    await world.ingest([3, 4, 5, 6].map((n) => said(`export-${n}`, `The PDF export fails on page ${n}`)));
    await analysed(world);
    await eventually(async () => get(await world.done('GET', path), 'stats.issues') === 7);
    expect((await world.done('GET', path))['label']).toBe('Exports');
    expect((await world.send('PATCH', path, { label: 'Mine' }, world.reader.token)).status).toBe(403);
    expect(refusal(await world.send('PATCH', path, { label: '' }))).toEqual([400, 'invalid_request', 'body.label']);
  });

  it('is merged into another one, and its id leads there', async () => {
    await world.ingest([said('m-1', 'Password reset link expired'), said('m-2', 'Cannot sign in with Google')]);
    await analysed(world);
    const [from, into] = [String(await clusterOf('m-1')), String(await clusterOf('m-2'))];
    expect(refusal(await world.send('PATCH', `${clusters}/${from}`, { mergeInto: 'none' }))).toEqual([
      400,
      'invalid_request',
      'body.mergeInto',
    ]);
    expect((await world.send('PATCH', `${clusters}/${from}`, { mergeInto: from })).status).toBe(400);
    await world.done('PATCH', `${clusters}/${from}`, { mergeInto: into });
    expect((await world.done('GET', `${clusters}/${from}`))['id']).toBe(into);
    const listed = await world.done('GET', `${world.org}/conversations-issues?cluster=${from}`);
    expect(listed['count']).toBe(2);
    expect(miscounted(await seenClusters(world))).toEqual([]);
  });

  it('gets issues that a person moves there, and one without issues is gone', async () => {
    await world.ingest([said('v-1', 'Webhook retries stop at midnight'), said('v-2', 'Dark mode hurts my eyes')]);
    await analysed(world);
    const [from, to] = [String(await clusterOf('v-1')), String(await clusterOf('v-2'))];
    const { items } = await world.done('GET', `${clusters}/${from}/issues`);
    const issue = get(items[0], 'issue.id');
    expect(refusal(await world.send('POST', `${clusters}/${to}/issues`, { issues: [issue, 'none'] }))).toEqual([
      400,
      'invalid_request',
      'body.issues[1]',
    ]);
    const moved = await world.done('POST', `${clusters}/${to}/issues`, { issues: [issue] });
    expect(moved['stats']).toEqual({ issues: 2, conversations: 2 });
    expect((await world.send('GET', `${clusters}/${from}`)).status).toBe(404);
    expect(await clusterOf('v-1')).toBe(to);
    expect(miscounted(await seenClusters(world))).toEqual([]);
  });

  it('loses the issues of a conversation that is deleted', async () => {
    const cluster = String(await clusterOf('card-0'));
    const size = async () => get(await world.done('GET', `${clusters}/${cluster}`), 'stats.issues');
    const before = Number(await size());
    expect((await world.send('DELETE', `${world.org}/conversations/${await world.idOf('card-1')}`)).status).toBe(205);
    expect(await size()).toBe(before - 1);
    expect(miscounted(await seenClusters(world))).toEqual([]);
  });
});
