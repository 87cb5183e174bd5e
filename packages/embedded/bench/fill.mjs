import { jsonEvent } from '@eventstore/db-client';

const APPENDS_AT_ONCE = 20;
const EVENTS_AN_APPEND = 10;
const EVENTS_A_STREAM = 20;
const DOCUMENTS_AN_INSERT = 5000;

/** Data and metadata of such an event are 200 bytes together. */
export const EVENT_BYTES = 200;
const event = () =>
  jsonEvent({
    type: 'DocumentEdited',
    data: { text: 'y'.repeat(143) },
    metadata: { actor: 'u1', time: 'now', operation: 'edit' },
  });

/** Appends `events`, in streams of 20, ten at a time. */
export async function fillEvents(client, events) {
  const streams = Math.ceil(events / EVENTS_A_STREAM);
  let appends = Math.ceil(events / EVENTS_AN_APPEND);
  const writer = async () => {
    while (appends > 0) {
      appends -= 1;
      await client.appendToStream(
        `scriptorium.content.document-${appends % streams}`,
        Array.from({ length: EVENTS_AN_APPEND }, event),
      );
    }
  };
  await Promise.all(Array.from({ length: APPENDS_AT_ONCE }, writer));
}

export const documentOf = (i) => ({
  _id: `doc-${i}`,
  space: `s${i % 10}`,
  rank: (i * 7919) % 1_000_003,
  name: 'A document of the usual size',
  text: 'x'.repeat(200),
});

/** Inserts the documents with the numbers `from` up to `to`, that one excluded. */
export async function fillDocuments(collection, from, to) {
  for (let i = from; i < to; i += DOCUMENTS_AN_INSERT) {
    await collection.insertMany(
      Array.from({ length: Math.min(DOCUMENTS_AN_INSERT, to - i) }, (_, k) => documentOf(i + k)),
      { ordered: false },
    );
  }
}
