import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

const clients = 24;
const pages = 200;
const pagesAtOnce = 50;
const megabyte = 1024 * 1024;

/**
 * Reads, writes and searches as so many people at once, then says what each app took: memory at rest and at most, and
 * CPU.
 */
export async function measure({ all, files }, { call, organization, space, site }, seconds, say) {
  assert.ok(seconds > 0, 'usage: smoke.mjs --measure SECONDS');
  const rest = new Map(all.map(({ name, pid }) => [name, memoryOf(pid).now]));
  await fill(call, space);
  const before = new Map(all.map(({ name, pid }) => [name, cpuSeconds(pid)]));
  const work = kindsOfWork({ call, files, organization, space, site });
  const counts = Object.fromEntries(Object.keys(work).map((name) => [name, 0]));
  const began = performance.now();
  const client = async (number) => {
    const names = Object.keys(work);
    for (let turn = number; performance.now() - began < seconds * 1000; turn += 1) {
      const name = names[turn % names.length];
      await work[name](`${number}-${turn}`, turn % pages);
      counts[name] += 1;
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, number) => client(number)));
  const took = (performance.now() - began) / 1000;
  say(
    'load',
    Object.entries(counts)
      .map(([name, count]) => `${name} ${(count / took).toFixed(1)}/s`)
      .join(', '),
  );
  for (const { name, pid } of all) {
    const { now, most } = memoryOf(pid);
    const cpu = Math.round((1000 * (cpuSeconds(pid) - before.get(name))) / took);
    say(
      name,
      `${mib(rest.get(name))} MiB at rest, ${mib(now)} MiB under load, ${mib(most)} MiB at most, ${cpu} m of CPU`,
    );
  }
}

/** Pages enough that search, the tree and the site have something to do. */
async function fill(call, space) {
  const text =
    'Readers look for **one thing** at a time, and leave when they have found [it](https://example.org/docs).\n\n';
  for (let from = 0; from < pages; from += pagesAtOnce)
    await call('POST', `/spaces/${space}/content`, {
      changes: Array.from({ length: pagesAtOnce }, (_, index) => ({
        operation: 'insert_page',
        title: `Page ${from + index}`,
        document: { markdown: text.repeat(20) },
      })),
    });
}

function kindsOfWork({ call, files, organization, space, site }) {
  return {
    'pages by the API': (_mark, page) => call('GET', `/spaces/${space}/content/path/page-${page}?format=markdown`),
    'pages of the site': async (_mark, page) => {
      const answer = await fetch(`${files}/~site/${site}/page-${page}`);
      const text = await answer.text();
      assert.equal(answer.status, 200, text);
    },
    searches: (mark) => call('GET', `/spaces/${space}/search?limit=10&query=thing%20${mark}`),
    teams: (mark) => call('PUT', `/orgs/${organization}/teams`, { title: `Team ${mark}` }),
    comments: (mark) => call('POST', `/spaces/${space}/comments`, { body: { markdown: `A comment ${mark}` } }),
    changes: (mark) =>
      call('POST', `/spaces/${space}/content`, {
        changes: [{ operation: 'insert_page', title: `Written ${mark}`, document: { markdown: `Text ${mark}` } }],
      }),
    'structures of the site': () => call('GET', `/orgs/${organization}/sites/${site}/structure`),
  };
}

function memoryOf(pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const bytes = (field) => 1024 * Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)[1]);
  return { now: bytes('VmRSS'), most: bytes('VmHWM') };
}

/** User and system time of a process; the kernel counts in hundredths of a second. */
function cpuSeconds(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

function mib(bytes) {
  return Math.round(bytes / megabyte);
}
