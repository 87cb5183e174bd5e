import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type NodeAccessDocument } from './node-access.projection.js';
import { createNodeTree, type EditableTree, type VisibleNodes } from './node-tree.js';
import { type Grantee } from './level.js';
import { documentOf, grantee, grants, parameters } from './test/arbitraries.js';
import { chainIn, naiveLevel, naivelyVisible } from './test/oracle.js';

const deletedAt = '2026-01-02T03:04:05.006Z';
const mostNested = 10;

/** A change of the library, as numbers that are made to fit whatever there is. */
const change = fc.record({
  what: fc.constantFrom('add', 'add', 'add', 'grant', 'move', 'delete', 'restore', 'purge'),
  kind: fc.constantFrom<NodeAccessDocument['kind']>('space', 'collection', 'collection'),
  node: fc.nat(1000),
  parent: fc.nat(1000),
  order: fc.constantFrom('Zz', 'a0', 'a0V', 'a1'),
  grants,
});
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

/** Documents and a tree of them that change together. */
function world() {
  const docs = new Map<string, NodeAccessDocument>();
  const cache = new Map<string, VisibleNodes>();
  const tree = createNodeTree('tree', cache);
  const put = (id: string, doc: NodeAccessDocument | null): void => {
    if (doc === null) docs.delete(id);
    else docs.set(id, doc);
    tree.apply(id, doc);
  };
  return { docs, tree, cache, put };
}

/**
 * A collection that can take a node: a living one that is not within it, and not so deep that the node would be too
 * deep.
 */
function parentFor(docs: ReadonlyMap<string, NodeAccessDocument>, id: string, choice: number): string | null {
  const below = Math.max(0, ...[...docs.keys()].map((other) => heightAbove(docs, other, id)));
  const fitting = [...docs].flatMap(([other, doc]) => {
    const chain = chainIn(docs, other);
    if (doc.kind !== 'collection' || chain === null || chain.some((node) => node.deletedAt !== null)) return [];
    return heightAbove(docs, other, id) >= 0 || chain.length + 1 + below > mostNested ? [] : [other];
  });
  return [null, ...fitting][choice % (fitting.length + 1)] ?? null;
}

/** How far a node stands below another; -1 when it does not. */
function heightAbove(docs: ReadonlyMap<string, NodeAccessDocument>, id: string, above: string): number {
  if (id === above) return 0;
  const parent = docs.get(id)?.parent ?? null;
  if (parent === null) return -1;
  const height = heightAbove(docs, parent, above);
  return height < 0 ? -1 : height + 1;
}

function perform({ docs, put }: ReturnType<typeof world>, { what, kind, node, parent, order, grants }: Change): void {
  if (what === 'add') {
    const id = `n${docs.size}-${node}`;
    put(id, documentOf({ ...grants, kind, parent: parentFor(docs, id, parent), order }));
    return;
  }
  const [id, doc] = [...docs][node % Math.max(1, docs.size)] ?? [];
  if (id === undefined || doc === undefined) return;
  if (what === 'grant') put(id, { ...doc, ...grants });
  if (what === 'move') put(id, { ...doc, parent: parentFor(docs, id, parent), order });
  if (what === 'delete') put(id, { ...doc, deletedAt });
  if (what === 'restore' && doc.kind === 'space')
    put(id, { ...doc, parent: parentFor(docs, id, parent), order, deletedAt: null });
  if (what === 'purge' && doc.deletedAt !== null) put(id, null);
}

function expectSame({ docs, tree }: ReturnType<typeof world>, member: Grantee): void {
  for (const [id] of docs) {
    const chain = chainIn(docs, id);
    if (chain === null) continue;
    expect(tree.levelOn(id, member)).toBe(naiveLevel(member, chain));
    expect(tree.deletedAt(id)).toBe(chain.some((node) => node.deletedAt !== null) ? deletedAt : null);
    expect([...tree.within(id)].sort()).toEqual(
      [...docs.keys()].filter((other) => heightAbove(docs, other, id) >= 0).sort(),
    );
    expect(tree.parentOf(id)).toBe(docs.get(id)?.parent);
  }
  expect(tree.grants()).toBe(
    [...docs.values()].reduce((sum, { users, teams }) => sum + users.length + teams.length, 0),
  );
  for (const kind of ['space', 'collection'] as const) {
    const ofKind = [...docs].filter(([, doc]) => doc.kind === kind);
    expect(tree.count(kind)).toBe(ofKind.length);
    const granting = (has: (doc: NodeAccessDocument) => boolean) =>
      ofKind.filter(([, doc]) => has(doc)).map(([id]) => id);
    expect([...tree.grantingTo(kind, { user: 'ann' })].sort()).toEqual(
      granting(({ users }) => users.some(({ user }) => user === 'ann')).sort(),
    );
    expect([...tree.grantingTo(kind, { team: 't1' })].sort()).toEqual(
      granting(({ teams }) => teams.some(({ team }) => team === 't1')).sort(),
    );
  }
  const visible = tree.visibleTo(member);
  expect(visible.spaces).toEqual(naivelyVisible(docs, member, 'space'));
  expect(visible.collections).toEqual(naivelyVisible(docs, member, 'collection'));
  expect(tree.countVisible(member)).toBe(visible.spaces.length);
  for (const team of ['t1', 't2', 't3', 'unknown'])
    expect([team, tree.countGrantedTo(team)]).toEqual([team, livingSpacesGrantedTo(docs, team)]);
}

function livingSpacesGrantedTo(docs: ReadonlyMap<string, NodeAccessDocument>, team: string): number {
  return [...docs].filter(([id, { kind, teams }]) => {
    const isLiving = chainIn(docs, id)?.every((node) => node.deletedAt === null) === true;
    return kind === 'space' && isLiving && teams.some((grant) => grant.team === team);
  }).length;
}

describe('a tree of spaces and collections', () => {
  it('gives the same levels and lists as a search through all documents, after every change', () => {
    const seen = { nested: 0, hidden: 0 };
    fc.assert(
      fc.property(
        fc.array(change, { maxLength: 40 }),
        fc.array(grantee, { minLength: 2, maxLength: 4 }),
        (all, members) => {
          const made = world();
          for (const one of all) {
            perform(made, one);
            for (const member of members) expectSame(made, member);
          }
          for (const [id] of made.docs) if ((chainIn(made.docs, id)?.length ?? 0) > 3) seen.nested += 1;
          if (made.tree.visibleTo(members[0] as Grantee).spaces.length < made.docs.size / 4) seen.hidden += 1;
        },
      ),
      { ...parameters, numRuns: Math.ceil(parameters.numRuns / 3) },
    );
    expect(seen.nested).toBeGreaterThan(0);
    expect(seen.hidden).toBeGreaterThan(0);
  });

  it('gives pages without gaps and repetitions, also when the last item of a page is removed', () => {
    fc.assert(
      fc.property(
        fc.array(change, { minLength: 10, maxLength: 40 }),
        grantee,
        fc.integer({ min: 1, max: 5 }),
        (all, member, limit) => {
          const { tree, put, ...made } = world();
          for (const one of all) perform({ tree, put, ...made }, one);
          const expected = [...tree.visibleTo(member).spaces];
          const found: string[] = [];
          for (let after: string | undefined; ;) {
            const page = tree.page(tree.visibleTo(member).spaces, limit, after);
            const last = page.at(-1);
            if (last === undefined) break;
            found.push(...page);
            after = tree.positionOf(last);
            put(last, null);
          }
          expect(found).toEqual(expected);
        },
      ),
      parameters,
    );
  });

  it('shows no nodes that the library does not contain yet, and gives no access below an unknown parent', () => {
    const { tree, put } = world();
    const member: Grantee = { user: 'ann', membership: 'first', role: 'edit', teams: [] };
    put('new', documentOf({ added: false }));
    put('lost', documentOf({ parent: 'unknown' }));
    expect(tree.has('new')).toBe(false);
    expect([tree.levelOn('new', member), tree.levelOn('lost', member)]).toEqual([null, null]);
    expect(tree.visibleTo({ ...member, role: 'admin' }).spaces).toEqual([]);
    const users = [{ user: 'ann', membership: 'first', level: 'admin' as const }];
    put('lost', documentOf({ parent: 'unknown', users }));
    expect(tree.levelOn('lost', member)).toBe('admin');
  });

  it('ends its search when a node is its own ancestor', () => {
    const { tree, put } = world();
    put('c1', documentOf({ kind: 'collection', parent: 'c2' }));
    put('c2', documentOf({ kind: 'collection', parent: 'c1' }));
    expect(tree.levelOn('c1', { user: 'ann', membership: 'first', role: 'create', teams: [] })).toBeNull();
    expect(new Set(tree.within('c1'))).toEqual(new Set(['c1', 'c2']));
  });

  it('lists the nodes for which somebody has at least a given level', () => {
    const { tree, put } = world();
    put('s1', documentOf({ defaultLevel: 'read' }));
    put('s2', documentOf({ defaultLevel: 'create', order: 'a1' }));
    const member: Grantee = { user: 'ann', membership: 'first', role: 'read', teams: [] };
    expect(tree.visibleTo(member).spaces).toEqual(['s1', 's2']);
    expect(tree.visibleTo(member, 'create').spaces).toEqual(['s2']);
  });
});

const spaces = 10_000;
const collections = 500;
const nodes = spaces + collections;

/** 500 collections in chains of ten, with twenty spaces each that their creators administer; a team sees one chain. */
function largeLibrary(put: EditableTree['apply']): void {
  for (let c = 0; c < collections; c += 1) {
    const parent = c % mostNested === 0 ? null : `c${c - 1}`;
    const teams = c === 0 ? [{ team: 't1', level: 'review' as const }] : [];
    put(`c${c}`, documentOf({ kind: 'collection', parent, order: `a${c}`, teams }));
  }
  for (let s = 0; s < spaces; s += 1) {
    const users = [{ user: `u${s % 50}`, membership: `m${s % 50}`, level: 'admin' as const }];
    put(`s${s}`, documentOf({ parent: `c${s % collections}`, order: `b${s}`, users }));
  }
}

describe('an organization with 10,000 spaces in 500 nested collections', () => {
  it('has levels computed from 11 nodes at most, and one list for all members who see the same', () => {
    let work = 0;
    const cache = new Map<string, VisibleNodes>();
    const tree = createNodeTree('large', cache, (count) => (work += count));
    largeLibrary((id, doc) => tree.apply(id, doc));
    const workOf = (what: () => unknown): number => {
      const before = work;
      what();
      return work - before;
    };
    const member = (n: number, more: Partial<Grantee> = {}): Grantee => ({
      user: `u${n}`,
      membership: `m${n}`,
      role: 'read',
      teams: [],
      ...more,
    });
    const deepest = `s${mostNested - 1}`;
    expect(workOf(() => tree.levelOn(deepest, member(4_000)))).toBe(mostNested + 1);
    expect(workOf(() => tree.visibleTo(member(4_000)))).toBe(nodes);
    // 4,950 more members, whose own grants and teams make no difference, in lists of one page each.
    expect(
      workOf(() => {
        for (let n = 50; n < 5_000; n += 1) {
          const { spaces: visible } = tree.visibleTo(member(n, { teams: [`elsewhere-${n}`] }));
          expect(visible.length).toBe(spaces);
          expect(tree.page(visible, 50).length).toBe(50);
        }
      }),
    ).toBe(0);
    expect(cache.size).toBe(1);
    // Of a guest in one team, of a creator, of an admin.
    expect(workOf(() => tree.visibleTo(member(4_000, { role: null, teams: ['t1'] })))).toBe(nodes);
    expect(tree.visibleTo(member(4_000, { role: null, teams: ['t1'] })).spaces.length).toBe(
      (spaces / collections) * mostNested,
    );
    expect(workOf(() => tree.visibleTo(member(1)))).toBe(nodes);
    expect(tree.visibleTo(member(1, { role: null })).spaces.length).toBe(spaces / 50);
    // A change makes each list be worked out once more.
    tree.apply('s0', documentOf({ parent: 'c0', defaultLevel: null }));
    expect(tree.visibleTo(member(4_000)).spaces.length).toBe(spaces - 1);
    expect(workOf(() => tree.visibleTo(member(4_001)))).toBe(0);
  });

  it('has spaces counted once for all members, and again only at the grants to a member', () => {
    let work = 0;
    const tree = createNodeTree('large', new Map<string, VisibleNodes>(), (count) => (work += count));
    largeLibrary((id, doc) => tree.apply(id, doc));
    const countOf = (n: number, more: Partial<Grantee> = {}): [count: number, work: number] => {
      const before = work;
      const count = tree.countVisible({ user: `u${n}`, membership: `m${n}`, role: 'read', teams: [], ...more });
      return [count, work - before];
    };
    const inFirstChain = (spaces / collections) * mostNested;
    expect(countOf(4_000)).toEqual([spaces, nodes]);
    expect(countOf(4_001)).toEqual([spaces, 0]);
    expect(countOf(4_002, { role: 'admin', teams: ['t1'] })).toEqual([spaces, 0]);
    expect(countOf(4_003, { role: null })).toEqual([0, 0]);
    expect(countOf(4_004, { role: null, teams: ['t1', 'elsewhere'] })).toEqual([inFirstChain, 1]);
    expect(countOf(4_005, { role: null, teams: ['t1'] })).toEqual([inFirstChain, 0]);
    const [ofCreator, workOfCreator] = countOf(1, { role: null });
    expect(ofCreator).toBe(spaces / 50);
    expect(workOfCreator).toBeLessThanOrEqual(ofCreator * (mostNested + 1));
    tree.apply('s0', null);
    expect(countOf(4_001)).toEqual([spaces - 1, nodes - 1]);
    expect(countOf(4_004, { role: null, teams: ['t1'] })).toEqual([inFirstChain - 1, 1]);
  });

  it('has lists whose pages read only a few positions', () => {
    const tree = createNodeTree('large', new Map<string, VisibleNodes>());
    largeLibrary((id, doc) => tree.apply(id, doc));
    const { spaces: visible } = tree.visibleTo({ user: 'x', membership: 'x', role: 'read', teams: [] });
    let looked = 0;
    const counted = new Proxy(visible, {
      get: (target, key, receiver) => {
        if (typeof key === 'string' && /^\d+$/.test(key)) looked += 1;
        const value: unknown = Reflect.get(target, key, key === 'slice' ? target : receiver);
        return typeof value === 'function' ? (value as () => unknown).bind(target) : value;
      },
    });
    const after = tree.positionOf(visible[7_000] as string);
    expect(tree.page(counted, 50, after)).toEqual(visible.slice(7_001, 7_051));
    expect(looked).toBeLessThanOrEqual(Math.ceil(Math.log2(spaces)) + 1);
  });
});
