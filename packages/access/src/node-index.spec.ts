import { describe, expect, it } from '@jest/globals';
import { type NodeAccessDocument } from './node-access.projection.js';
import { type IndexSource } from '@scriptorium/event-sourcing';
import { createNodeIndex, noWork, type NodeIndexOptions } from './access.js';
import { type NodeTree } from './node-tree.js';
import { documentOf } from './test/arbitraries.js';

type Living = NodeAccessDocument & { _id: string; _at: number };
type Tombstone = { _id: string; _at: number; _gone: true };

const isLiving = (doc: Living | Tombstone): doc is Living => !('_gone' in doc);

/** A read model in memory that is written, announced and read as a service's own is. */
function fakeSource() {
  const stored = new Map<string, Living | Tombstone>();
  const state = { position: 0, written: 0, version: 'v0' as string | undefined, asked: 0 };
  let gate: Promise<void> = Promise.resolve();
  let failure: Error | undefined;
  async function* reading<T extends Living | Tombstone>(read: (docs: readonly (Living | Tombstone)[]) => readonly T[]) {
    state.asked += 1;
    const found = read([...stored.values()]).map((doc) => ({ ...doc }));
    await gate;
    if (failure !== undefined) throw failure;
    yield* found;
  }
  const source: IndexSource<NodeAccessDocument> = {
    version: () => state.version,
    written: () => Promise.resolve(BigInt(state.written)),
    collection: () => ({
      find: ({ organization }) =>
        reading((docs) => docs.filter((doc) => isLiving(doc)).filter((doc) => doc.organization === organization)),
      raw: {
        find: ({ _at }) => reading((docs) => docs.filter((doc) => doc._at > _at.$gt.toNumber())),
      },
    }),
  };
  return {
    source,
    state,
    /** Writes a document without saying so. */
    write(id: string, doc: Partial<NodeAccessDocument> | null): number {
      state.position += 1;
      const _at = state.position;
      stored.set(id, doc === null ? { _id: id, _at, _gone: true } : { _id: id, ...documentOf(doc), _at });
      return _at;
    },
    /** Says that everything was written. */
    announce(): void {
      state.written = state.position;
      state.version = `v${state.position}`;
    },
    put(id: string, doc: Partial<NodeAccessDocument> | null): void {
      this.write(id, doc);
      this.announce();
    },
    hold(): () => void {
      let open: () => void = () => undefined;
      gate = new Promise((resolve) => (open = resolve));
      return () => {
        gate = Promise.resolve();
        open();
      };
    },
    fail(error: Error | undefined): void {
      failure = error;
    },
  };
}

function setUp(more: Partial<NodeIndexOptions> = {}) {
  const fake = fakeSource();
  const work = noWork();
  const time = { now: 0 };
  const clock = { now: () => time.now, monotonic: () => time.now };
  const index = createNodeIndex(fake.source, { clock, work, ...more });
  const spacesOf = async (organization: string): Promise<string[]> => spacesIn(await index.of(organization));
  return { fake, work, time, index, spacesOf };
}

function spacesIn(tree: NodeTree): string[] {
  return [...tree.visibleTo({ user: 'x', membership: 'x', role: 'admin', teams: [] }).spaces];
}

describe('the index of nodes', () => {
  it('reads an organization once, and sends no query while nothing changes', async () => {
    const { fake, work, spacesOf } = setUp();
    fake.put('s1', {});
    fake.put('s2', { organization: 'p' });
    for (let n = 0; n < 20; n += 1) expect(await spacesOf('o')).toEqual(['s1']);
    expect(work).toMatchObject({ loads: 1, looks: 0, documents: 1 });
    expect(fake.state.asked).toBe(1);
  });

  it('reads the changes of all organizations with one query', async () => {
    const { fake, work, spacesOf } = setUp();
    fake.put('s1', {});
    fake.put('s2', { organization: 'p' });
    await spacesOf('o');
    await spacesOf('p');
    fake.put('s3', {});
    fake.put('s2', null);
    fake.put('s4', { organization: 'q' });
    expect(await spacesOf('o')).toEqual(['s1', 's3']);
    expect(await spacesOf('p')).toEqual([]);
    expect(work).toMatchObject({ loads: 2, looks: 1 });
  });

  it('removes a node that moved to another organization', async () => {
    const { fake, spacesOf } = setUp();
    fake.put('s1', {});
    expect(await spacesOf('o')).toEqual(['s1']);
    expect(await spacesOf('p')).toEqual([]);
    fake.put('s1', { organization: 'p' });
    expect(await spacesOf('o')).toEqual([]);
    expect(await spacesOf('p')).toEqual(['s1']);
  });

  it('finds a document that was written after a later one', async () => {
    const { fake, spacesOf } = setUp();
    fake.put('s1', {});
    await spacesOf('o');
    // The batch writes position 3 before position 2, and a reader looks in between.
    const later = { ...documentOf({ order: 'a3' }) };
    fake.state.position = 2;
    fake.write('s3', later);
    fake.state.version = 'in between';
    expect(await spacesOf('o')).toEqual(['s1', 's3']);
    fake.state.position = 1;
    fake.write('s2', { order: 'a2' });
    fake.state.position = 3;
    fake.announce();
    expect(await spacesOf('o')).toEqual(['s1', 's2', 's3']);
  });

  it('does not use a shared query that began before a change of the caller', async () => {
    const { fake, work, index } = setUp();
    fake.put('s1', {});
    await index.of('o');
    fake.put('s2', { order: 'a2' });
    const open = fake.hold();
    const [first, second] = [index.of('o'), index.of('o')];
    await settle();
    fake.put('s3', { order: 'a3' });
    const [third, fourth] = [index.of('o'), index.of('o')];
    await settle();
    expect(work.looks).toBe(1);
    open();
    const trees = await Promise.all([first, second, third, fourth]);
    expect(trees.map(spacesIn)).toEqual(trees.map(() => ['s1', 's2', 's3']));
    expect(work.looks).toBe(2);
  });

  it('does not use a shared first load that began before a change of the caller', async () => {
    const { fake, work, index } = setUp();
    fake.put('s1', {});
    const open = fake.hold();
    const first = index.of('o');
    await settle();
    fake.put('s2', { order: 'a2' });
    const second = index.of('o');
    await settle();
    open();
    await first;
    expect(spacesIn(await second)).toEqual(['s1', 's2']);
    expect(work).toMatchObject({ loads: 1, looks: 1 });
  });

  it('queries again after a second, in case an announcement was lost', async () => {
    const { fake, time, spacesOf } = setUp();
    fake.put('s1', {});
    await spacesOf('o');
    fake.write('s2', { order: 'a2' });
    expect(await spacesOf('o')).toEqual(['s1']);
    time.now += 1_000;
    expect(await spacesOf('o')).toEqual(['s1', 's2']);
  });

  it('queries every time while it cannot know whether anything has changed', async () => {
    const { fake, spacesOf } = setUp();
    fake.state.version = undefined;
    fake.write('s1', {});
    expect(await spacesOf('o')).toEqual(['s1']);
    fake.write('s2', { order: 'a2' });
    expect(await spacesOf('o')).toEqual(['s1', 's2']);
  });

  it('loads everything again after it was idle for long, since tombstones may have been removed', async () => {
    const { fake, time, work, spacesOf } = setUp();
    fake.put('s1', {});
    await spacesOf('o');
    time.now += 11 * 60_000;
    await spacesOf('o');
    expect(work).toMatchObject({ loads: 2, looks: 0 });
  });

  it('keeps a limited number of nodes, and always the requested organization', async () => {
    const { fake, work, spacesOf } = setUp({ maxBytes: 2_000 });
    for (const organization of ['o', 'p', 'q']) fake.put(`s-${organization}`, { organization });
    for (const organization of ['o', 'p', 'q', 'o'])
      expect(await spacesOf(organization)).toEqual([`s-${organization}`]);
    expect(work.loads).toBe(4);
    for (let n = 0; n < 20; n += 1) fake.put(`more-${n}`, { order: `b${n}` });
    expect(await spacesOf('o')).toHaveLength(21);
    expect(await spacesOf('o')).toHaveLength(21);
    expect(work.loads).toBe(4);
  });

  it('works again after a failed query', async () => {
    const { fake, index, spacesOf } = setUp();
    fake.put('s1', {});
    await spacesOf('o');
    fake.put('s2', { order: 'a2' });
    fake.fail(new Error('the database is away'));
    await expect(index.of('o')).rejects.toThrow('the database is away');
    await expect(index.of('p')).rejects.toThrow('the database is away');
    fake.fail(undefined);
    expect(await spacesOf('o')).toEqual(['s1', 's2']);
    expect(await spacesOf('p')).toEqual([]);
  });
});

/** Lets everything run that waits for nothing but its turn. */
async function settle(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}
