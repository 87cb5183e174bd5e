import { MongoClient } from 'mongodb';
import { within } from '../process/time.js';
import { openEventStore } from './event-store.js';

/** What a server tells of itself. */
export interface InspectedServer {
  version: string;
  /** Milliseconds by which its clock is ahead of that of this machine, at about; absent where it does not tell. */
  aheadMs?: number;
}

/**
 * Asks EventStoreDB for its version and its clock. It writes nothing.
 * @param ms milliseconds after which a server that does not answer is given up
 * @throws AppError when it does not answer, is too old, or refuses the user
 */
export async function inspectEventStore(url: string, ms: number): Promise<InspectedServer> {
  const store = openEventStore(url);
  try {
    const version = await within(ms, 'EventStoreDB check', store.requireServer(AbortSignal.timeout(ms)));
    const aheadMs = await clockOverHttp(url, ms);
    return { version, ...(aheadMs !== undefined && { aheadMs }) };
  } finally {
    await store.close();
  }
}

/** The server tells its time only in answers over HTTP, in whole seconds; the embedded one has none. */
async function clockOverHttp(url: string, ms: number): Promise<number | undefined> {
  const [, host = ''] = /^[^:]+:\/\/(?:[^@/]*@)?([^/,?]+)/.exec(url) ?? [];
  const scheme = /[?&]tls=false(&|$)/i.test(url) ? 'http' : 'https';
  const asked = Date.now();
  try {
    const answer = await fetch(`${scheme}://${host}/info`, { signal: AbortSignal.timeout(ms) });
    await answer.body?.cancel();
    const told = Date.parse(answer.headers.get('date') ?? '');
    return Number.isNaN(told) ? undefined : told + 500 - (asked + Date.now()) / 2;
  } catch {
    return undefined;
  }
}

/**
 * Asks MongoDB for its version and its clock. It writes nothing.
 * @param ms milliseconds after which a server that does not answer is given up
 * @throws Error when it does not answer, or refuses the user
 */
export async function inspectMongo(url: string, ms: number): Promise<InspectedServer> {
  const client = new MongoClient(url, { serverSelectionTimeoutMS: ms, connectTimeoutMS: ms });
  try {
    const admin = client.db('admin');
    const { version } = await within(ms, 'MongoDB check', admin.command({ buildInfo: 1 }));
    const asked = Date.now();
    const { localTime } = await within(ms, 'MongoDB check', admin.command({ hello: 1 }));
    const middle = (asked + Date.now()) / 2;
    return {
      version: String(version),
      ...(localTime instanceof Date && { aheadMs: localTime.getTime() - middle }),
    };
  } finally {
    await client.close();
  }
}
