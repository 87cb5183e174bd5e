import { Pool } from 'undici';
import { openLoop } from '../load/open-loop.js';
import { percentile } from '../load/statistics.js';
import { getTeams } from './requests.js';
import type { Context, Figure, Scenario } from './scenario.js';

/** What reads may wait longer because passwords are hashed. */
const goalMs = 20;
const readsPerSecond = 100;
const signInsAtOnce = 4;
const password = 'correct horse battery staple 42';

/** Reads while people sign in, beside reads while nobody does. */
export const signInLatency: Scenario = {
  name: 'sign-in-latency',
  summary: 'How much longer reads wait while passwords are hashed',
  async run(context: Context): Promise<Figure[]> {
    const { product, seed } = await context.product();
    const email = `signs-in-${Date.now()}@example.org`;
    await seed.client.createUser({ body: { email, displayName: 'Signs in', emailVerified: true, password } });
    const reads = getTeams(seed);
    const pool = new Pool(product.endpoint, { connections: 20, pipelining: 1 });
    const visitors = new Pool(product.endpoint, { connections: signInsAtOnce, pipelining: 1 });
    const times = { alone: [] as number[], beside: [] as number[] };
    const read = (into: number[]) =>
      openLoop(readsPerSecond, context.options.seconds, async (index, due) => {
        const { body } = await pool.request({
          method: 'GET',
          path: reads[index % reads.length]?.path ?? '',
          headers: { authorization: `Bearer ${product.token}` },
        });
        await body.dump();
        into.push(performance.now() - due);
      });
    await read([]);
    let signedIn = 0;
    for (let round = 0; round < context.options.rounds; round += 1) {
      await read(times.alone);
      let over = false;
      const signingIn = Array.from({ length: signInsAtOnce }, async () => {
        while (!over) signedIn += (await signIn(visitors, email)) ? 1 : 0;
      });
      await read(times.beside);
      over = true;
      await Promise.all(signingIn);
    }
    await Promise.all([pool.close(), visitors.close()]);
    return figures(times, signedIn);
  },
};

async function signIn(pool: Pool, email: string): Promise<boolean> {
  const { statusCode, body } = await pool.request({
    method: 'POST',
    path: '/v1/auth/login',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  await body.dump();
  return statusCode === 200;
}

function figures(
  { alone, beside }: { alone: readonly number[]; beside: readonly number[] },
  signedIn: number,
): Figure[] {
  const longer = percentile(beside, 0.99) - percentile(alone, 0.99);
  const line = (what: string, value: number): Figure => ({ scenario: 'sign-in-latency', what, value, unit: 'ms' });
  return [
    {
      ...line('p99 of reads, longer beside sign-ins', longer),
      goal: `<= ${goalMs}`,
      met: longer <= goalMs,
      note: `${signedIn} signed in`,
    },
    line('p99 of reads alone', percentile(alone, 0.99)),
    line('p99 of reads beside sign-ins', percentile(beside, 0.99)),
    line('longest read alone', percentile(alone, 1)),
    line('longest read beside sign-ins', percentile(beside, 1)),
  ];
}
