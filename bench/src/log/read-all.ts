import { EventStoreDBClient, FORWARDS, START } from '@eventstore/db-client';
import { openWithCredentials } from '@scriptorium/event-sourcing/testing';

const withinMs = 600_000;

/** Reads the whole log through the official client and does nothing with it; events a second. */
export async function readAllRate(url: string): Promise<number> {
  const client = openWithCredentials(url, (plain) => EventStoreDBClient.connectionString(plain));
  try {
    const began = performance.now();
    const stream = client.readAll({ direction: FORWARDS, fromPosition: START, deadline: withinMs });
    let events = 0;
    await new Promise<void>((resolve, reject) => {
      stream.on('data', () => (events += 1));
      stream.on('end', resolve);
      stream.on('error', reject);
    });
    return events / ((performance.now() - began) / 1000);
  } finally {
    await client.dispose();
  }
}
