import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startRig, type Answer, type Rig } from '../test/rig.js';

describe('the limits of collaboration', () => {
  let rig: Rig;
  let comments: string;
  beforeAll(async () => {
    rig = await startRig({
      MAX_COMMENTS_PER_SPACE: '3',
      MAX_REPLIES_PER_COMMENT: '2',
      MAX_REACTIONS_PER_COMMENT: '2',
      MAX_CHANGE_REQUESTS_PER_SPACE: '4',
      MAX_OPEN_CHANGE_REQUESTS_PER_SPACE: '2',
    });
    const { body } = await rig.send('POST', `/orgs/${rig.organization}/spaces`);
    comments = `/spaces/${String(body['id'])}/comments`;
  }, 60_000);
  afterAll(() => rig.stop());

  const body = { body: { markdown: 'x' } };
  const refusal = ({ status, body: { error } }: Answer) => [status, error.reason, error.details?.[0]?.path];

  it('hold, whoever asks at the same moment', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => rig.send('POST', comments, { body })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 409, 409, 409]);
    const refused = answers.find(({ status }) => status === 409);
    expect(refused && refusal(refused)).toEqual([409, 'limit_reached', 'commentsPerSpace']);
    const path = `${comments}/${String(answers.find(({ status }) => status === 200)?.body['id'])}`;
    const replies = await Promise.all(Array.from({ length: 4 }, () => rig.send('POST', `${path}/replies`, { body })));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, 409, 409]);
    const third = replies.find(({ status }) => status === 409);
    expect(third && refusal(third)).toEqual([409, 'limit_reached', 'repliesPerComment']);
    const react = await rig.send('PUT', path, { body: { addedReactions: ['🎉', '👍', '🚀'] } });
    expect(refusal(react)).toEqual([409, 'limit_reached', 'reactionsPerComment']);
    expect((await rig.send('PUT', path, { body: { addedReactions: ['🎉', '👍'] } })).status).toBe(200);
    expect((await rig.send('DELETE', path)).status).toBe(205);
    expect((await rig.send('POST', comments, { body })).status).toBe(200);
    expect((await rig.send('POST', comments, { body })).status).toBe(409);
  });

  it('of change requests hold, too: of all, and of those that are drafts or open', async () => {
    const { body: made } = await rig.send('POST', `/orgs/${rig.organization}/spaces`);
    const path = `/spaces/${String(made['id'])}/change-requests`;
    const answers = await Promise.all(Array.from({ length: 4 }, () => rig.send('POST', path)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409]);
    const refused = answers.find(({ status }) => status === 409);
    expect(refused && refusal(refused)).toEqual([409, 'limit_reached', 'openChangeRequestsPerSpace']);
    const set = (number: number, status: string) => rig.send('PATCH', `${path}/${number}`, { body: { status } });
    expect((await set(1, 'archived')).status).toBe(200);
    expect((await rig.send('POST', path)).body['number']).toBe(3);
    expect(refusal(await set(1, 'open'))).toEqual([409, 'limit_reached', 'openChangeRequestsPerSpace']);
    for (const number of [2, 3]) await set(number, 'archived');
    expect((await rig.send('POST', path)).body['number']).toBe(4);
    expect(refusal(await rig.send('POST', path))).toEqual([409, 'limit_reached', 'changeRequestsPerSpace']);
  });
});
