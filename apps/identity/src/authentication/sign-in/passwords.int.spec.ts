import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { visitor } from '../../test/browser.js';
import { eventually, startRig, type Rig } from '../../test/own-rig.js';

const password = 'velvet-otter-lamp-91';

describe('a password', () => {
  let rig: Rig;
  let number = 0;
  beforeAll(async () => void (rig = await startRig()), 60_000);
  afterAll(() => rig.stop());
  // All attempts come from one network and are counted together, so the records are removed before each spec.
  beforeEach(() => rig.store.database.collection('op_sign_in_attempts').deleteMany({}));

  const create = (body: object) =>
    rig.send('POST', '/users', { body: { displayName: 'Pia Password', emailVerified: true, ...body } });
  const pia = async (): Promise<string> => {
    number += 1;
    const email = `pia${number}@example.org`;
    expect((await create({ email, password })).status).toBe(201);
    return email;
  };
  const login = (email: string, given: string) =>
    visitor(rig).send('POST', '/auth/login', { body: { email, password: given } });

  it('that an operator sets for a person signs in, whatever the case of the address', async () => {
    const email = await pia();
    const { status, body, headers } = await login(email.toUpperCase(), password);
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({
        object: 'session',
        method: 'password',
        current: true,
        password: true,
        user: expect.objectContaining({ email }),
      }),
    ]);
    expect(headers.get('set-cookie')).toMatch(
      /^scriptorium_session=scr_ses_\w{20}_\w{43}; Path=\/v1; HttpOnly; SameSite=Strict; Secure; Max-Age=2592000$/,
    );
    expect(JSON.stringify(body)).not.toContain('scr_ses_');
  });

  it.each([['password1234'], ['qwertyuiop12'], ['pia99@example.org'], ['Pia Password 1'], ['aaaaaaaaaaaaaaaa']])(
    'such as %s is refused as easy to guess',
    async (weak) => {
      const { status, body } = await create({ email: 'pia99@example.org', password: weak });
      expect([status, body.error.reason, body.error.details?.[0]?.path]).toEqual([
        400,
        'invalid_request',
        'body.password',
      ]);
      expect((await login('pia99@example.org', weak)).status).toBe(401);
    },
  );

  it('has a minimum and a maximum length, and cannot be given to a service account', async () => {
    expect((await create({ email: 'x1@example.org', password: 'aB3$xYz9k' })).status).toBe(400);
    expect((await create({ email: 'x2@example.org', password: 'x'.repeat(257) })).status).toBe(400);
    const service = await create({ email: 'x3@example.org', kind: 'service', password });
    expect(service.body.error.details).toEqual([expect.objectContaining({ path: 'body.password' })]);
  });

  it('that is wrong gets the same answer as one of an unknown address or a service account', async () => {
    const email = await pia();
    await create({ email: 'robot@example.org', kind: 'service' });
    const answers = [
      await login(email, 'wrong'),
      await login('nobody@example.org', 'wrong'),
      await login('robot@example.org', 'wrong'),
      await login(rig.owner.email, 'wrong'),
    ];
    for (const { status, body, headers } of answers) {
      expect([status, body.error.message, headers.get('set-cookie')]).toEqual([401, 'Wrong address or password', null]);
    }
  });

  it('takes as much work to refuse for an unknown address as for a known one', async () => {
    const email = await pia();
    const work = async (address: string): Promise<number> => {
      const before = process.cpuUsage();
      await login(address, 'wrong');
      return process.cpuUsage(before).user;
    };
    const [known, unknown] = [
      Math.min(await work(email), await work(email)),
      Math.min(await work('none1@example.org'), await work('none2@example.org')),
    ];
    expect(unknown).toBeGreaterThan(known / 2);
    expect(known).toBeGreaterThan(unknown / 2);
    // A hash takes hundreds of milliseconds of CPU time.
    expect(Math.min(known, unknown)).toBeGreaterThan(100_000);
  }, 60_000);

  it('can be tried five times before tries are delayed, for known and unknown addresses alike', async () => {
    const email = await pia();
    for (const address of [email, 'guessed@example.org']) {
      const tries = await Promise.all(Array.from({ length: 12 }, (_, i) => login(address, `wrong ${i}`)));
      const counts = (status: number) => tries.filter((answer) => answer.status === status).length;
      // A busy machine may not get to check all of the five in time; they are counted all the same.
      expect([counts(401) + counts(503), counts(429)]).toEqual([5, 7]);
      const refused = tries.find(({ status }) => status === 429);
      const wait = Number(refused?.headers.get('retry-after'));
      expect([refused?.body.error.reason, wait >= 1 && wait <= 5]).toEqual(['rate_limited', true]);
      // Tries of one moment are refused as such; the wait may be over before the next one on a busy machine.
      const limit = 'At most 5 failed sign-ins to an account are possible without a wait';
      await eventually(async () => {
        const { body } = await login(address, 'wrong again');
        return String(body.error.message).startsWith(`${limit} (setting MAX_SIGN_IN_TRIES_PER_ACCOUNT)`);
      });
    }
    await eventually(async () => (await login(email, password)).status === 200, 40_000);
    expect((await login(email, 'wrong')).status).toBe(401);
  }, 90_000);

  it('does not delay other requests while it is hashed', async () => {
    const email = await pia();
    let hashing = true;
    const logins = Promise.all(Array.from({ length: 4 }, () => login(email, password))).finally(
      () => (hashing = false),
    );
    let answered = 0;
    while (hashing) {
      expect((await rig.send('GET', '/user')).status).toBe(200);
      answered += 1;
    }
    expect((await logins).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    // Gateway and service run in this process. If hashing blocked it, at most one request would be answered during each
    // hash.
    expect(answered).toBeGreaterThan(8);
  }, 60_000);

  it('is in no event and no read model, and is stored in one place as a hash', async () => {
    await pia();
    const holders: string[] = [];
    for (const { collectionName } of await rig.store.database.collections()) {
      const text = JSON.stringify(await rig.store.database.collection(collectionName).find().toArray());
      expect(text).not.toContain(password);
      if (text.includes('$scrypt$')) holders.push(collectionName);
    }
    expect(holders).toEqual(['op_passwords']);
  });

  it('can be changed with the present password, which ends all other sessions and sends a mail', async () => {
    const email = await pia();
    const [here, there] = [visitor(rig), visitor(rig)];
    for (const one of [here, there])
      expect((await one.send('POST', '/auth/login', { body: { email, password } })).status).toBe(200);
    const change = (body: object) => here.send('PUT', '/auth/password', { body });
    const next = 'marble-canyon-thistle-7';
    expect((await change({ password: next })).body.error.details).toEqual([
      expect.objectContaining({ path: 'body.current' }),
    ]);
    expect((await change({ password: next, current: 'wrong' })).status).toBe(403);
    expect((await change({ password: 'password1234', current: password })).status).toBe(400);
    expect((await there.send('GET', '/auth/session')).status).toBe(200);
    expect((await change({ password: next, current: password })).status).toBe(204);
    await eventually(async () => (await there.send('GET', '/auth/session')).status === 401);
    expect((await here.send('GET', '/auth/session')).status).toBe(200);
    expect([(await login(email, password)).status, (await login(email, next)).status]).toEqual([401, 200]);
    await eventually(async () => (await rig.mailTo(email)).some((mail) => mail.includes('Your password was changed')));
  }, 60_000);
});
