// Prints one JSON object: writes a second, projected events a second, and a rebuild beside a bare read of the same log.
import { openEventStore } from '../dist/events/event-store.js';
import { context, note, noteList, rate, startWorld } from './world.mjs';

const total = Number(process.env.TOTAL ?? 4000);
const writers = 50;
const title = (n) => ({ type: 'NoteRenamed', data: { title: `title ${n}` } });
const written = { type: 'NoteWritten', data: { title: 'first', organization: 'o1' } };

const world = await startWorld();
const figures = {};
const plain = world.open();
for (let n = 0; n < writers; n += 1) await plain.scope(context).handle(note, `n${n}`, () => [written]);
await rate(writers, total, (n) => plain.scope(context).handle(note, `n${n % writers}`, () => [title(n)]));
figures.handlePerSecond = await rate(writers, total, (n) =>
  plain.scope(context).handle(note, `n${n % writers}`, () => [title(n)]),
);

let exceeded = 0;
const store = world.open({ projections: [noteList], metrics: { waitExceeded: () => (exceeded += 1) } });
let began = performance.now();
await store.start();
figures.catchUpPerSecond = (2 * total + writers) / ((performance.now() - began) / 1000);
await rate(writers, total, (n) => store.scope(context).handle(note, `n${n % writers}`, () => [title(n)]));
figures.handleVisiblePerSecond = await rate(writers, total, (n) =>
  store.scope(context).handle(note, `n${n % writers}`, () => [title(n)]),
);
figures.waitsExceeded = exceeded;

// One event a document, the dearest case for a projector, and many events a document.
const batch = 200;
await rate(20, 150, (b) =>
  plain
    .scope(context)
    .handle(note, `wide-${b}`, () => [written, ...Array.from({ length: batch - 1 }, (_, n) => title(n))], {
      wait: false,
    }),
);
const many = Number(process.env.DOCUMENTS ?? 10000);
await rate(writers, many, (n) => plain.scope(context).handle(note, `single-${n}`, () => [written], { wait: false }));
const tail = await openEventStore(world.eventstoreUrl).tail();
await store.waitUntilVisible({ position: tail, types: ['NoteWritten'] });

const bare = [];
const rebuilt = [];
for (let round = 0; round < 3; round += 1) {
  const log = openEventStore(world.eventstoreUrl);
  began = performance.now();
  const source = log.subscribe(['bench.bench.note-'], -1n);
  let events = 0;
  for (let position = -1n; position < tail;) {
    const next = await source.next(2048, 0);
    events += next.events.length;
    position = next.position ?? position;
  }
  bare.push(events / ((performance.now() - began) / 1000));
  await source.stop();
  await log.close();
  const [result] = await store.rebuild();
  rebuilt.push(result.events / (result.ms / 1000));
  figures.rebuildEqual = result.equal;
  figures.events = events;
}
const median = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];
figures.bareReadPerSecond = median(bare);
figures.rebuildPerSecond = median(rebuilt);
figures.rebuildRatio = figures.rebuildPerSecond / figures.bareReadPerSecond;
console.log(
  JSON.stringify(figures, (_, value) => (typeof value === 'number' ? Math.round(value * 100) / 100 : value), 1),
);
await plain.stop();
await store.stop();
await world.stop();
