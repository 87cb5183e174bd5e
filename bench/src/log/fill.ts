import { randomUUID } from 'node:crypto';
import { callOperation, identityContract } from '@scriptorium/contracts';
import { EventStoreDBClient, NO_STREAM, jsonEvent, type JSONEventType } from '@eventstore/db-client';
import { openWithCredentials } from '@scriptorium/event-sourcing/testing';
import { waitFor } from '../processes/wait-for.js';
import type { Product } from '../product/product.js';

export interface Filling {
  /** Events to append in all. */
  events: number;
  /** Part of them (0 to 1) that teams of another organization get; the others belong to a service that is not there. */
  teams: number;
  say: (text: string) => void;
}

const eventsOfStream = 10;
const inFlight = 64;
const text = 'Documentation is read more often than it is written, and this sentence stands for all of it. '.repeat(3);
const catchUpMs = 1_200_000;
const sayEvery = 100_000;

/** Appends events straight to the log, past the product, and waits until its read models have seen them. */
export async function fillLog(product: Product, { events, teams, say }: Filling): Promise<void> {
  const client = openWithCredentials(product.servers.EVENTSTORE_URL, (url) => EventStoreDBClient.connectionString(url));
  try {
    const streams = Math.ceil(events / eventsOfStream);
    let next = 0;
    let last = -1n;
    const appendAll = async () => {
      for (let index = next++; index < streams; index = next++) {
        // Evenly mixed: teams come whenever their share of all streams so far is owed.
        const isTeam = Math.floor((index + 1) * teams) > Math.floor(index * teams);
        const position = await (isTeam ? appendTeam(client, product, index) : appendDocument(client, product, index));
        if (isTeam && position > last) last = position;
        if (((index + 1) * eventsOfStream) % sayEvery === 0) say(`${(index + 1) * eventsOfStream} events appended`);
      }
    };
    await Promise.all(Array.from({ length: inFlight }, appendAll));
    say('waiting for the read models');
    await untilSeen(product, last);
  } finally {
    await client.dispose();
  }
}

async function appendTeam(client: EventStoreDBClient, product: Product, index: number): Promise<bigint> {
  const organization = 'organization-of-the-filling';
  const titles = Array.from({ length: eventsOfStream - 1 }, (_, turn) => ({
    type: 'TeamRenamed',
    data: { title: `Filled ${index} for the ${turn}. time` },
  }));
  const created = { type: 'TeamCreated', data: { organization, title: `Filled ${index}` } };
  return append(client, `${product.servers.NAMESPACE}.identity.team-filled${index}`, organization, [
    created,
    ...titles,
  ]);
}

async function appendDocument(client: EventStoreDBClient, product: Product, index: number): Promise<bigint> {
  const edits = Array.from({ length: eventsOfStream }, (_, turn) => ({ type: 'DocumentEdited', data: { turn, text } }));
  return append(
    client,
    `${product.servers.NAMESPACE}.library.document-filled${index}`,
    'organization-of-the-filling',
    edits,
  );
}

async function append(
  client: EventStoreDBClient,
  stream: string,
  organization: string,
  events: readonly JSONEventType[],
): Promise<bigint> {
  const metadata = {
    v: 1,
    actor: { kind: 'system', id: 'filling' },
    organization,
    operation: 'fill',
    correlation: randomUUID(),
    causation: null,
    time: new Date().toISOString(),
  };
  const { position } = await client.appendToStream(
    stream,
    events.map(({ type, data }) => jsonEvent({ type, data, metadata })),
    { expectedRevision: NO_STREAM },
  );
  return position?.commit ?? -1n;
}

async function untilSeen(product: Product, position: bigint): Promise<void> {
  const names = ['team_v', 'team_member_v', 'team_place_v'];
  await waitFor(
    'the read models',
    async () => {
      const { items } = await callOperation(product, identityContract.operator.consumers, { query: { limit: 1000 } });
      const teams = items.filter(({ name }) => names.some((prefix) => name.startsWith(prefix)));
      return teams.length > 0 && teams.every((each) => each.state === 'live' && BigInt(each.position) >= position);
    },
    catchUpMs,
    250,
  );
}
