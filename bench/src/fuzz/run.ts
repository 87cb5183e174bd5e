import { setTimeout as wait } from 'node:timers/promises';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { Pool, type Dispatcher } from 'undici';
import { Findings } from '../crash/findings.js';
import { createRandom } from '../crash/random.js';
import { readDocument, type Documented, type ServedDocument } from './document.js';
import { complaints, type Answer } from './judge.js';
import { foundPeople, type Keeper, type People } from './people.js';
import { bytesOf, requestsOf, type Drawn } from './requests.js';
import { withKnownIds } from './values.js';

export interface FuzzOptions {
  seed: number;
  requests: number;
  atOnce: number;
  say: (text: string) => void;
}

export interface FuzzResult {
  /** What must not be, each once for an operation and kind. */
  found: string[];
  counts: Record<string, number>;
  /** Operations that did nothing but refuse. */
  neverDone: string[];
}

const perRound = 1_000;
const triesWhenBusy = 3;
const idsKept = 100;
/** Older ones have been deleted by now. */
const newest = 12;
const kindLength = 60;

/** Sends generated requests of every operation of the served document, and compares each answer with it. */
export async function fuzz(keeper: Keeper, options: FuzzOptions): Promise<FuzzResult> {
  const { seed, requests, atOnce, say } = options;
  // Reading the document takes so long that connections which idle meanwhile are closed.
  const first = await foundPeople(keeper);
  const document = await readDocument(keeper.endpoint);
  const drawn = shuffled(draw(document, requests, seed), seed);
  const notes = createNotes(say);
  const pool = new Pool(keeper.endpoint, {
    connections: atOnce,
    pipelining: 1,
    headersTimeout: 30_000,
    bodyTimeout: 30_000,
  });
  try {
    for (let start = 0; start < drawn.length; start += perRound) {
      const known = createKnown(document, keeper, start === 0 ? first : await foundPeople(keeper));
      const send = createSend(pool, known);
      const left = drawn.slice(start, start + perRound);
      await Promise.all(
        Array.from({ length: atOnce }, async () => {
          for (let next = left.pop(); next !== undefined; next = left.pop()) {
            const { answer, asked } = await send(next);
            if (answer.status < 300) known.learn(next.operation, answer);
            notes.take(next, asked, answer);
          }
        }),
      );
      say(`${Math.min(start + perRound, drawn.length)} requests, ${notes.findings.found.length} findings`);
    }
  } finally {
    await pool.destroy();
  }
  const { findings, done } = notes;
  return {
    found: findings.found,
    counts: findings.counts,
    neverDone: document.operations.map(({ id }) => id).filter((id) => !done.has(id)),
  };
}

/** Gathers what answers are like; the same complaint of one operation once. */
function createNotes(say: FuzzOptions['say']) {
  const findings = new Findings();
  const seen = new Set<string>();
  const done = new Set<string>();
  return {
    findings,
    done,
    take({ operation, actor }: Drawn, { path, headers, body }: Asked, answer: Answer): void {
      findings.count(`answers ${answer.status}`);
      if (answer.status < 400) done.add(operation.id);
      for (const complaint of complaints(operation, answer, { path, headers })) {
        const kind = `${operation.id} ${complaint.slice(0, kindLength)}`;
        if (seen.has(kind)) continue;
        seen.add(kind);
        const { authorization: _, cookie: _cookie, ...shown } = headers;
        say(`${operation.id} ${complaint}`);
        findings.report(
          `${operation.id} ${complaint} (${actor}: ${operation.method} ${path} ${JSON.stringify(shown)} ${body?.slice(0, 300) ?? ''})`,
        );
      }
    },
  };
}

/** As many requests of each operation, and each seed its own. */
function draw(document: ServedDocument, requests: number, seed: number): Drawn[] {
  const each = Math.ceil(requests / document.operations.length);
  return document.operations.flatMap((operation, index) =>
    fc.sample(requestsOf(operation, document), { numRuns: each, seed: seed + index }),
  );
}

function shuffled(drawn: Drawn[], seed: number): Drawn[] {
  const random = createRandom(seed);
  for (let at = drawn.length - 1; at > 0; at -= 1) {
    const other = random.below(at + 1);
    [drawn[at], drawn[other]] = [drawn[other] as Drawn, drawn[at] as Drawn];
  }
  return drawn;
}

interface Known {
  credentialsOf(actor: Drawn['actor']): Readonly<Record<string, string>>;
  find(name: string, n: number, operation: Documented): string;
  /** Remembers the ids of what an answer shows. */
  learn(operation: Documented, answer: Answer): void;
}

function createKnown(document: ServedDocument, keeper: Keeper, people: People): Known {
  const ids = new Map(Object.entries(people.ids).map(([name, known]) => [name, [...known]]));
  return {
    credentialsOf: (actor) => people.credentials[actor],
    find(name, n, { method, path }) {
      const all = ids.get(name) ?? [...ids.values()].flat().filter((id) => /^[\w-]+$/.test(id));
      // What the round was founded with belongs together; it goes on longest when only what was made since is deleted
      // as a whole.
      const founded = people.ids[name] ?? [];
      const whole = method === 'DELETE' && path === '/v1/orgs/{organizationId}';
      if (n % 2 === 0 && !whole && founded.length > 0) return founded[n % founded.length] ?? '';
      return all[all.length - 1 - (n % Math.min(all.length, newest))] ?? '';
    },
    learn({ path }, { text }) {
      const name = document.childOf(path);
      if (name === undefined || text === '') return;
      const body = JSON.parse(text) as { id?: unknown; items?: { id?: unknown }[] };
      const all = ids.get(name) ?? [];
      // Whoever keeps the rounds going is left alone.
      const shown = [body, ...(Array.isArray(body.items) ? body.items : [])].flatMap(({ id }) =>
        typeof id === 'string' && id !== keeper.user ? [id] : [],
      );
      ids.set(name, [...all, ...shown.filter((id) => !all.includes(id))].slice(-idsKept));
    },
  };
}

interface Asked {
  path: string;
  headers: Record<string, string>;
  body: string | undefined;
}

function createSend(pool: Pool, known: Known) {
  return async (drawn: Drawn): Promise<{ answer: Answer; asked: Asked }> => {
    const fill = (text: string): string => withKnownIds(text, (name, n) => known.find(name, n, drawn.operation));
    const body = drawn.body === undefined ? undefined : fill(drawn.body);
    const typed: Record<string, string> =
      body === undefined
        ? {}
        : {
            'content-type': drawn.operation.bodyType,
            ...(drawn.coding === undefined ? {} : { 'content-encoding': drawn.coding }),
          };
    const headers = { ...typed, ...drawn.headers, ...known.credentialsOf(drawn.actor) };
    const path = fill(drawn.path);
    const sent = { method: drawn.operation.method, path, headers, body: bytesOf({ body, coding: drawn.coding }) };
    let answer = await request(pool, sent);
    for (let tries = 1; tries < triesWhenBusy && isBusy(answer); tries += 1) {
      await wait(1_000 * Number(answer.headers['retry-after'] ?? 1));
      answer = await request(pool, sent);
    }
    return { answer, asked: { path, headers, body } };
  };
}

async function request(pool: Pool, options: Dispatcher.RequestOptions): Promise<Answer> {
  const { statusCode, headers, body } = await pool.request(options);
  return {
    status: statusCode,
    headers,
    text: decoded(Buffer.from(await body.arrayBuffer()), headers['content-encoding']),
  };
}

/** A machine that does much else may let a deadline pass; a service that never answers is a finding. */
function isBusy({ status, text }: Answer): boolean {
  return status === 503 && text.includes('"unavailable"');
}

function decoded(body: Buffer, coding: string | string[] | undefined): string {
  if (coding === undefined) return body.toString();
  return (coding === 'br' ? brotliDecompressSync(body) : gunzipSync(body)).toString();
}
