import { conversationBounds, requireNone, type ConversationInput, type ErrorDetail } from '@scriptorium/contracts';
import type { Call, IdempotencyStore } from '@scriptorium/platform';
import { showRecorded, withdrawIssues } from '../clusters/index.js';
import { confirmTexts, dropTexts, storeTexts, type TextPart, type TextPlace } from '../texts/index.js';
import { conversations, type ConversationDocument } from './conversation.projection.js';
import { conversationTotals } from './conversation-total.projection.js';
import { conversation, ingest, type Said } from './conversation.js';
import { expireKnown } from './expire-known.process.js';
import { textsOf } from './conversation-text.js';
import { ingestion, recordIngestion } from './ingestion.js';
import { conversationId, digestOf, externalKey } from './names.process.js';

/** A conversation of a request, ready to be recorded. */
interface Incoming {
  id: string;
  key: string;
  said: Said;
  given: ConversationInput;
  known: Pick<ConversationDocument, 'digest'> | undefined;
}

interface Prepared {
  incoming: Incoming[];
  /** The ids of those that are too old to be kept. */
  tooOld: string[];
}

interface Ingesting {
  organization: string;
  source: string;
  /** Older conversations are not kept; absent: all are. */
  keptSince: string | undefined;
  /** Whether the request has a list of conversations. */
  isList: boolean;
  /** The answers that are kept for repeated requests. */
  answers: Pick<IdempotencyStore, 'forget'>;
}

/** Commands of one request at a time. */
const concurrency = 32;

/**
 * Ingests conversations: each is stored, replaced, or found to be the same. What is too old to be kept is left out, and
 * deleted if it is there. A repetition of a call that broke off goes on with it.
 * @throws AppError `invalid_request` naming the field, `limit_reached`
 */
export async function ingestAll(call: Call, given: readonly ConversationInput[], to: Ingesting): Promise<void> {
  requireNone(datesAhead(given, to.isList, call.now()));
  const { incoming, tooOld } = await prepare(call, given, to);
  const unseen = incoming.filter(({ known }) => known === undefined).length;
  await call.quotas.within(
    {
      limit: 'conversationsPerOrganization',
      of: to.organization,
      most: unseen,
      look: async () => ({ present: await totalOf(call, to.organization), more: unseen }),
    },
    () => record(call, incoming, { ...to, tooOld }),
  );
}

function datesAhead(given: readonly ConversationInput[], isList: boolean, now: number): ErrorDetail[] {
  return given.flatMap(({ metadata }, index) => {
    const isAhead =
      metadata?.createdAt !== undefined && Date.parse(metadata.createdAt) > now + conversationBounds.aheadMs;
    const path = `body${isList ? `[${index}]` : ''}.metadata.createdAt`;
    return isAhead ? [{ path, message: 'Must not be more than a day ahead' }] : [];
  });
}

async function totalOf({ store }: Call, organization: string): Promise<number> {
  return (await store.read(conversationTotals).byId(organization))?.conversations ?? 0;
}

async function prepare(call: Call, given: readonly ConversationInput[], to: Ingesting): Promise<Prepared> {
  const { organization, source, keptSince } = to;
  const tooOld: string[] = [];
  const named = given.flatMap((one) => {
    const createdAt = one.metadata?.createdAt;
    const id = conversationId(call, { organization, source, externalId: one.id });
    if (keptSince !== undefined && createdAt !== undefined && createdAt < keptSince) {
      tooOld.push(id);
      return [];
    }
    const said: Said = {
      text: call.idFor(`text ${id}`),
      digest: digestOf(call, organization, [one.subject, one.parts, one.metadata]),
      parts: one.parts.length,
      bytes: Buffer.byteLength(JSON.stringify(one)),
      createdAt,
    };
    return [{ id, key: externalKey(call, organization, one.id), said, given: one }];
  });
  const found = await call.store.read(conversations).byIds(named.map(({ id }) => id));
  const known = new Map(found.map((doc) => [doc._id, doc]));
  return { incoming: named.map((one) => ({ ...one, known: known.get(one.id) })), tooOld };
}

/** Records what is new and what differs. Texts are stored before the events that name them. */
async function record(
  call: Call,
  all: readonly Incoming[],
  { organization, source, tooOld, answers }: Ingesting & Pick<Prepared, 'tooOld'>,
): Promise<void> {
  const incoming = await changed(call, all);
  const placeOf = ({ id, said }: Incoming): TextPlace => ({ organization, owner: id, text: said.text });
  const texts = incoming.flatMap((one) => textsOf(placeOf(one), one.given));
  if (!call.store.dry) await storeTexts(call, texts);
  const replaced: TextPlace[] = [];
  const unnamed: TextPlace[] = [];
  const counts = { added: 0, replaced: 0 };
  const now = new Date(call.now()).toISOString();
  for (let start = 0; start < incoming.length; start += concurrency)
    await Promise.all(
      incoming.slice(start, start + concurrency).map(async ({ id, key, said, known }) => {
        // Most are new. Where the read model is behind, the append notices that the stream is there.
        const options = { wait: false, isNew: known === undefined };
        const { events, state } = await call.store.handle(
          conversation,
          id,
          (before) => ingest(before, { source, key, ...said }, now),
          options,
        );
        if (state.status === 'absent' || state.text !== said.text)
          unnamed.push({ organization, owner: id, text: said.text });
        const [event] = events;
        if (event?.type === 'ConversationIngested') counts.added += 1;
        if (event?.type !== 'ConversationReplaced') return;
        counts.replaced += 1;
        replaced.push({ organization, owner: id, text: event.data.previous });
      }),
    );
  if (!call.store.dry) await dropReplaced(call, organization, { replaced, unnamed, texts });
  await expireKnown(call, answers, organization, tooOld);
  await call.store.handle(ingestion, organization, () => recordIngestion(source, counts), { wait: false });
  await showRecorded(call.store);
}

/** Drops what was replaced, with its issues, and confirms what is named now. */
async function dropReplaced(
  call: Call,
  organization: string,
  { replaced, unnamed, texts }: Record<'replaced' | 'unnamed', readonly TextPlace[]> & { texts: readonly TextPart[] },
): Promise<void> {
  await withdrawIssues(
    call,
    organization,
    replaced.map(({ owner: conversation, text }) => ({ conversation, text })),
  );
  // What a repeated call has stored, and was replaced or deleted since its first attempt, is not named any more.
  await dropTexts(call, [...replaced, ...unnamed]);
  await confirmTexts(call, texts);
}

/** What differs from what is stored. The log is asked where the read model says that nothing does. */
async function changed(call: Call, all: readonly Incoming[]): Promise<Incoming[]> {
  const kept = await Promise.all(
    all.map(async ({ id, said, known }) => {
      if (known?.digest !== said.digest) return true;
      const state = await call.store.load(conversation, id);
      return state.status === 'absent' || state.digest !== said.digest;
    }),
  );
  return all.filter((_, index) => kept[index]);
}
