import { expect } from '@jest/globals';
import { integrationEventTypes } from '@scriptorium/contracts';
import { parseConfig } from '@scriptorium/platform/config';
import { findEngine, startRuntime, type Runtime } from '@scriptorium/runtime';
import { settings } from '@scriptorium/runtime/settings';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { createPeople, newName, type IntegrationRig } from './integration-rig.js';
import { createKillableReplicas, startKillableRuntime, type Killable } from './killable.js';
import { officialScript } from './official-script.js';
import { eventually, startRig, type Rig } from './own-rig.js';
import type { Answer } from './rig.js';

/** An event as a script has got it. */
export interface Received {
  event: Record<string, unknown> & { eventId: string; type: string };
  environment: Record<string, unknown>;
  headers: IncomingHttpHeaders;
  /** The status that it was answered with. */
  answered: number;
}

/** A rig with a runtime, whose scripts tell of each event that they get. */
export interface DispatchRig extends IntegrationRig<Rig> {
  received: Received[];
  /** What those scripts do, for `officialScript`. */
  teller: string;
  /** What scripts answer, by the event; 200 unless it says otherwise. */
  answer: (received: Omit<Received, 'answered'>) => number;
  /** Publishes an integration with such a script, and has it installed; the path of the installation. */
  begin(more?: object, installed?: object): Promise<{ name: string; path: string; id: string }>;
  /**
   * What scripts have got for an installation. Events can come again that were answered well, as those do whose answer
   * got lost: these are left out, as by a receiver that remembers ids.
   */
  of(installation: string): Received[];
  /** The same, once it is at least `count`. */
  told(installation: string, count: number): Promise<Received[]>;
  /** The events of an integration, the newest first, as its owner sees them. */
  eventsOf(name: string, query?: string): Promise<Answer['body']['items']>;
  /** Waits until nothing waits to be delivered to an integration. */
  settled(name: string): Promise<void>;
  /** Kills one of the processes, of a rig that has them; it is started again. */
  kill(n: number): Promise<void>;
  stopRuntime(): Promise<void>;
  startRuntime(): Promise<void>;
  /** `look`: at the data folder, when everything has stopped. */
  stop(look?: (folder: string) => Promise<void>): Promise<void>;
}

/** Waits until an expectation comes true; says what is wrong when it does not. */
export async function comesTrue(expectation: () => Promise<void> | void): Promise<void> {
  let last: unknown;
  const holds = async (): Promise<boolean> => {
    try {
      await expectation();
      return true;
    } catch (error) {
      last = error;
      return false;
    }
  };
  await eventually(holds, 40_000).catch(() => {
    throw last;
  });
}

const key = 'k'.repeat(40);
const ignore = (): void => undefined;

/** Sends what it got to the only address besides public ones that scripts reach, and answers what that says. */
const teller = `
const tell = async (event, { environment }) => {
  console.log('got', event.type, environment.secrets.KEY);
  const body = JSON.stringify({ event, environment });
  const answer = await fetch(environment.secrets.SINK, { method: 'POST', body });
  if (!answer.ok) throw new runtime.ExposableError('as told', answer.status);
};
return runtime.createIntegration({ events: { ${integrationEventTypes.map((type) => `${type}: tell`).join(', ')} } });`;

/** `isKillable`: the runtime and two replicas of the service are processes of their own. */
export async function startDispatchRig(
  variables: Record<string, string> = {},
  { isKillable = false } = {},
): Promise<DispatchRig> {
  const killables: Killable[] = [];
  const received: Received[] = [];
  const held = { answer: (_: Omit<Received, 'answered'>): number => 200 };
  const sink = createServer((request, response) => {
    void text(request).then((body) => {
      const got = JSON.parse(body) as Pick<Received, 'event' | 'environment'>;
      const one = { ...got, headers: request.headers };
      const answered = held.answer(one);
      received.push({ ...one, answered });
      response.writeHead(answered).end();
    });
  });
  sink.listen(0, '127.0.0.1');
  await once(sink, 'listening');
  const address = `http://127.0.0.1:${(sink.address() as AddressInfo).port}`;
  const begin = async (port: string): Promise<Runtime> =>
    startRuntime(parseConfig(settings, { RUNTIME_KEY: key, RUNTIME_PORT: port, RUNTIME_API_ORIGIN: address }), {
      engine: await findEngine(),
      events: { request: ignore, ended: ignore, outgoing: ignore, error: ignore },
    });
  const killable = isKillable ? await startKillableRuntime(key, address) : undefined;
  if (killable !== undefined) killables.push(killable);
  let runtime: Pick<Runtime, 'address' | 'stop'> =
    killable === undefined ? await begin('0') : { address: killable.url, stop: () => killable.stop() };
  const { address: url } = runtime;
  const given = { RUNTIME_URL: url, RUNTIME_KEY: key, ...variables };
  const rig = await startRig(given, isKillable ? createKillableReplicas(killables) : undefined);
  const world = await createPeople(rig);
  const of: DispatchRig['of'] = (id) => {
    const done = new Set<string>();
    return received.filter(({ event: { eventId, installationId }, answered }) => {
      if (installationId !== id || done.has(eventId)) return false;
      if (answered < 300) done.add(eventId);
      return true;
    });
  };
  const eventsOf: DispatchRig['eventsOf'] = async (name, query = '') =>
    (await world.done('GET', `/integrations/${name}/events?limit=1000${query}`)).items;
  return {
    ...world,
    received,
    teller,
    of,
    async told(id, count) {
      await comesTrue(() => expect(of(id).length).toBeGreaterThanOrEqual(count));
      return of(id);
    },
    eventsOf,
    settled: (name) => comesTrue(async () => expect(await eventsOf(name, '&status=queued')).toEqual([])),
    get answer() {
      return held.answer;
    },
    set answer(next) {
      held.answer = next;
    },
    async begin(more = {}, installed = {}) {
      const name = newName();
      const secrets = { KEY: 'quillfeather', SINK: address };
      await world.publish({ script: officialScript(teller), secrets, ...more }, name);
      const path = await world.install(name, installed);
      return { name, path, id: path.split('/').at(-1) ?? '' };
    },
    kill: async (n) => killables[n % killables.length]?.kill(),
    stopRuntime: () => runtime.stop(),
    async startRuntime() {
      runtime = await begin(new URL(url).port);
    },
    async stop(look) {
      await rig.stop(look);
      await runtime.stop();
      sink.close();
    },
  };
}
