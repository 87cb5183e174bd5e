import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { defineAggregate } from '@scriptorium/event-sourcing';
import { eventually } from '@scriptorium/event-sourcing/testing';
import { rosterEvents, type RosterEvent } from '../../events/index.js';
import { startRig, type Rig } from '../../test/rig-with-store.js';

/** The account kinds in the events of a roster, in order. */
const kinds = defineAggregate<readonly unknown[], typeof rosterEvents>({
  service: 'identity',
  entity: 'roster',
  events: rosterEvents,
  initial: [],
  evolve: (said, { type, data }) =>
    type === 'MemberJoined' || type === 'MemberAccountKindRecorded' ? [...said, [type, data.user, data.kind]] : said,
});

describe('the account kind of a member', () => {
  let rig: Rig;
  beforeAll(async () => void (rig = await startRig()), 60_000);
  afterAll(() => rig.stop());

  const said = () => rig.store.load(kinds, rig.organization);
  const account = async (name: string, kind: 'person' | 'service'): Promise<{ id: string; email: string }> => {
    const email = rig.email(name);
    const { body } = await rig.send('POST', '/users', {
      body: { email, displayName: name, emailVerified: true, kind },
    });
    return { id: String(body['id']), email };
  };

  it('is recorded when they join', async () => {
    const bot = await account('bot', 'service');
    const ann = await account('ann', 'person');
    await rig.send('POST', `/orgs/${rig.organization}/invites`, { body: { emails: [bot.email, ann.email] } });
    expect(await said()).toEqual([
      ['MemberJoined', rig.owner.id, 'person'],
      ['MemberJoined', bot.id, 'service'],
      ['MemberJoined', ann.id, 'person'],
    ]);
  });

  it('is recorded later for service accounts that joined without it', async () => {
    const [bob, crawler] = [await account('bob', 'person'), await account('crawler', 'service')];
    const joined = ({ id: user }: { id: string }): RosterEvent => ({
      type: 'MemberJoined',
      data: { user, membership: `m-${user}`, role: 'read', via: 'invite' },
    });
    const context = {
      actor: { kind: 'user', id: rig.owner.id },
      organization: rig.organization,
      operation: 'spec',
      correlation: 'spec',
    };
    await rig.store
      .scope(context)
      .handle(kinds, rig.organization, () => [joined(bob), joined(crawler)], { wait: false });
    await eventually(async () => (await said()).length === 6);
    expect((await said()).slice(3)).toEqual([
      ['MemberJoined', bob.id, undefined],
      ['MemberJoined', crawler.id, undefined],
      ['MemberAccountKindRecorded', crawler.id, 'service'],
    ]);
  });
});
