// How fast trees are and how much an edit writes: `npm run bench -w packages/tree`. Times are medians; parts are in
// memory.
import { apply, build, count, diff, get, layered, merge, noParts, range, walk } from '../dist/index.js';

const RUNS = Number(process.env.BENCH_RUNS ?? 9);
const KEYS_PER_PAGE = 5;

/** Milliseconds of one call, the median of several runs of several calls each. */
async function timeOf(call, calls = 1) {
  const times = [];
  for (let run = -2; run < RUNS; run++) {
    const start = performance.now();
    for (let done = 0; done < calls; done++) await call(done + calls * (run + 2));
    if (run >= 0) times.push((performance.now() - start) / calls);
  }
  return times.sort((left, right) => left - right)[RUNS >> 1];
}

function report(name, value, unit, goal) {
  const verdict = goal === undefined ? '' : `  goal ${goal}: ${value <= goal ? 'met' : 'MISSED'}`;
  console.log(`${name.padEnd(58)}${value.toFixed(value < 10 ? 2 : 0).padStart(9)} ${unit}${verdict}`);
  if (goal !== undefined && value > goal) process.exitCode = 1;
}

const id = (page) =>
  `${((page * 2_654_435_761) % 4_294_967_296).toString(36).padStart(7, '0')}${page.toString(36).padStart(5, '0')}`;
const valueOf = (page, kind) => ({
  kind,
  page: id(page),
  title: `The title of page ${page}`,
  document: id(page).repeat(5),
  order: page,
});

/** What a space with so many pages may hold: five keys a page, values of about 150 bytes. */
const entriesOf = (pages) =>
  Array.from({ length: pages }, (_, page) => [
    [`child/${id(page >> 3)}/${id(page)}`, valueOf(page, 'child')],
    [`file/${id(page)}`, valueOf(page, 'file')],
    [`page/${id(page)}`, valueOf(page, 'page')],
    [`slug/${id(page >> 3)}/page-${page}`, valueOf(page, 'slug')],
    [`variable/${id(page)}`, valueOf(page, 'variable')],
  ]).flat();

const bytesOf = ({ parts }) => parts.reduce((sum, { text }) => sum + text.length, 0);

async function meanBytes(edits, tree, parts) {
  let bytes = 0;
  let made = 0;
  for (const edit of edits) {
    const written = await apply(parts, tree.root, [edit]);
    bytes += bytesOf(written);
    made += written.parts.length;
  }
  return { bytes: bytes / edits.length / 1000, parts: made / edits.length };
}

for (const [pages, goal] of [[10, 8], [100], [1000], [10_000, 20]]) {
  const entries = entriesOf(pages);
  const tree = build(entries);
  const parts = layered(noParts, tree.parts);
  const some = entries.filter((_, at) => at % Math.ceil(entries.length / 200) === 0);
  const leaves = tree.parts.filter(({ part }) => 'entries' in part).length;
  console.log(
    `${pages} pages: ${entries.length} entries, ${tree.parts.length} parts, ${(entries.length / leaves).toFixed(1)} entries a leaf, ${(bytesOf(tree) / 1000).toFixed(0)} KB`,
  );
  const replaced = await meanBytes(
    some.map(([key, value]) => [key, { ...value, order: -1 }]),
    tree,
    parts,
  );
  report(`  one value changed: ${replaced.parts.toFixed(1)} parts, written`, replaced.bytes, 'KB', goal);
  const added = await meanBytes(
    some.map(([key, value]) => [`${key}+`, value]),
    tree,
    parts,
  );
  report(`  one key added: ${added.parts.toFixed(1)} parts, written`, added.bytes, 'KB', goal);
}

const entries = entriesOf(10_000);
const tree = build(entries);
const parts = layered(noParts, tree.parts);
const entryAt = (at) => entries[(at * 7919) % entries.length];
const values = new Map(entries);
const manyEdits = entries.filter((_, at) => at % 50 === 0).map(([key, value]) => [key, { ...value, order: -2 }]);
const ours = await apply(parts, tree.root, manyEdits);
const theirs = await apply(
  parts,
  tree.root,
  manyEdits.map(([key, value]) => [`${key}+`, value]),
);
const all = layered(parts, [...ours.parts, ...theirs.parts]);
const drain = async (items) => {
  let found = 0;
  for await (const item of items) if (item !== undefined) found++;
  return found;
};

report('build 50,000 entries', await timeOf(() => build(entries)), 'ms', 500);
report('apply one changed value', await timeOf((at) => apply(parts, tree.root, [[entryAt(at)[0], at]]), 100), 'ms', 1);
report('apply one new key', await timeOf((at) => apply(parts, tree.root, [[`${entryAt(at)[0]}+`, at]]), 100), 'ms', 1);
report('apply one removal', await timeOf((at) => apply(parts, tree.root, [[entryAt(at)[0], undefined]]), 100), 'ms', 1);
report('apply 1,000 changed values', await timeOf(() => apply(parts, tree.root, manyEdits)), 'ms');
report('get', await timeOf((at) => get(parts, tree.root, entryAt(at)[0]), 1000), 'ms');
report('range of 10,000 entries', await timeOf(() => range(parts, tree.root, { prefix: 'page/' })), 'ms', 30);
report(
  'range of 50 entries',
  await timeOf((at) => range(parts, tree.root, { from: entryAt(at)[0], limit: 50 }), 100),
  'ms',
);
report('count of a prefix', await timeOf(() => count(parts, tree.root, { prefix: 'page/' }), 100), 'ms');
report('diff of 1,000 values', await timeOf(() => drain(diff(all, tree.root, ours.root))), 'ms');
report(
  'merge of 1,000 keys on each side',
  await timeOf(() =>
    merge(all, { base: tree.root, ours: ours.root, theirs: theirs.root }, () => ({ kind: 'conflict' })),
  ),
  'ms',
);
report('walk', await timeOf(() => drain(walk(parts, tree.root))), 'ms');
if (values.size !== (await count(parts, tree.root))) throw new Error('Two entries of the benchmark have one key');
