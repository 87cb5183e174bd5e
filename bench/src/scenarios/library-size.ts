import { createClient, type Client } from '@scriptorium/contracts';
import { measuredLoad, warmUp } from '../load/measured.js';
import type { LoadRequest } from '../load/model.js';
import type { Product } from '../product/product.js';
import { inTurns, numbersTo } from '../product/seed.js';
import type { Context, Figure, Scenario } from './scenario.js';

const name = 'library-size';
const [fewSpaces, manySpaces, collectionCount, deepest, memberCount] = [10, 10_000, 500, 10, 5_000];
const flatWithin = 0.25;
const invitesAtOnce = 500;

/**
 * What reading spaces costs in an organization of 10 spaces, and in one of 10,000 in 500 nested collections with 5,000
 * members. Answers of equal size and number are compared: ten spaces of each, and lists of ten. What the large one
 * costs besides, with all its spaces in turn and with lists of 50, is shown without a goal.
 */
export const librarySize: Scenario = {
  name,
  summary: 'Reading spaces in an organization of 10 and in one of 10,000 spaces',
  async run(context: Context): Promise<Figure[]> {
    const { product } = await context.product();
    const client = createClient(product);
    const small = await fill(client, product, { spaces: fewSpaces, collections: 0, members: 0 }, context.say);
    const large = await fill(
      client,
      product,
      { spaces: manySpaces, collections: collectionCount, members: memberCount },
      context.say,
    );
    return [
      ...(await compare(context, product, 'GET one of ten spaces', [getSpaces(small), getSpaces(large)])),
      ...(await compare(context, product, 'GET a list of ten spaces', [listSpaces(small), listSpaces(large)])),
      await show(context, product, 'GET one of all spaces', getSpaces(large, manySpaces)),
      await show(context, product, 'GET a list of 50 spaces', listSpaces(large, 50)),
    ];
  },
};

interface Library {
  organization: string;
  spaces: readonly string[];
}

const getSpaces = ({ spaces }: Library, count = fewSpaces): LoadRequest[] =>
  spaces.slice(-count).map((space) => ({ method: 'GET', path: `/v1/spaces/${space}` }));

const listSpaces = ({ organization }: Library, limit = fewSpaces): LoadRequest[] => [
  { method: 'GET', path: `/v1/orgs/${organization}/spaces?limit=${limit}` },
];

async function compare(
  { options: { connections, seconds, rounds }, say }: Context,
  product: Product,
  what: string,
  [few, many]: [LoadRequest[], LoadRequest[]],
): Promise<Figure[]> {
  const costs = { few: [] as number[], many: [] as number[] };
  const load = { connections, perConnection: false };
  for (const requests of [few, many]) await warmUp(product, { ...load, requests });
  for (let round = 0; round < rounds; round += 1) {
    costs.few.push((await measuredLoad(product, { ...load, seconds, requests: few })).cpuMs);
    costs.many.push((await measuredLoad(product, { ...load, seconds, requests: many })).cpuMs);
  }
  const [least, most] = [Math.min(...costs.few), Math.min(...costs.many)];
  say(`${name}: ${what}: ${least.toFixed(2)} ms CPU of ${fewSpaces} spaces, ${most.toFixed(2)} ms of ${manySpaces}`);
  return [
    { scenario: name, what: `CPU for ${what}, of ${fewSpaces} spaces`, value: least, unit: 'ms' },
    {
      scenario: name,
      what: `CPU for ${what}, of ${manySpaces} spaces`,
      value: most,
      unit: 'ms',
      goal: `within ${100 * flatWithin} %`,
      met: most <= least * (1 + flatWithin),
    },
  ];
}

async function show(
  { options: { connections, seconds } }: Context,
  product: Product,
  what: string,
  requests: LoadRequest[],
): Promise<Figure> {
  const load = { connections, perConnection: false, requests };
  await warmUp(product, load);
  const { cpuMs } = await measuredLoad(product, { ...load, seconds });
  return { scenario: name, what: `CPU for ${what}, of ${manySpaces} spaces`, value: cpuMs, unit: 'ms' };
}

/** An organization with so many spaces, spread over chains of collections, and members. */
async function fill(
  client: Client,
  product: Product,
  size: { spaces: number; collections: number; members: number },
  say: (text: string) => void,
): Promise<Library> {
  const { id: organization } = await client.createOrganization({ body: { title: `Of ${size.spaces} spaces` } });
  const params = { organizationId: organization };
  const collections: string[] = [];
  for (let first = 0; first < size.collections; first += deepest) {
    let parent: string | null = null;
    for (let depth = 0; depth < deepest; depth += 1) {
      const made: { id: string } = await client.createCollection({
        params,
        body: { title: `Collection ${first + depth}`, ...(parent === null ? {} : { parent }) },
      });
      parent = made.id;
      collections.push(parent);
    }
  }
  const spaces = await inTurns(numbersTo(size.spaces), async (index) => {
    const parent = collections[index % Math.max(1, collections.length)];
    const body = { title: `Space ${index}`, ...(parent === undefined ? {} : { parent }) };
    return (await client.createSpace({ params, body })).id;
  });
  const people = await inTurns(numbersTo(size.members), async (index) => {
    const email = `of-${size.spaces}-${index}@example.org`;
    await client.createUser({ body: { email, displayName: `Person ${index}`, emailVerified: true } });
    return email;
  });
  for (let start = 0; start < people.length; start += invitesAtOnce)
    await client.inviteUsersToOrganization({
      params,
      body: { emails: people.slice(start, start + invitesAtOnce), role: 'edit' },
    });
  say(`${name}: ${spaces.length} spaces, ${collections.length} collections, ${people.length} members`);
  return { organization, spaces };
}
