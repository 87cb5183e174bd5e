import type { Call, IdempotencyStore } from '@scriptorium/platform';
import { withdrawIssues } from '../clusters/index.js';
import { dropTexts } from '../texts/index.js';
import { conversation, expire } from './conversation.js';

/** Conversations of one request that are looked up at a time. */
const concurrency = 32;

/**
 * Deletes those of these conversations that are there, with their texts and issues, because they are too old now.
 * `answers`: those that are kept for repeated requests, which show texts.
 */
export async function expireKnown(
  call: Call,
  answers: Pick<IdempotencyStore, 'forget'>,
  organization: string,
  ids: readonly string[],
): Promise<void> {
  const gone: { conversation: string; text: string }[] = [];
  for (let start = 0; start < ids.length; start += concurrency)
    await Promise.all(
      ids.slice(start, start + concurrency).map(async (id) => {
        // The log is asked: what is not yet in the read model is to go, too.
        const { events } = await call.store.handle(
          conversation,
          id,
          (state) => (state.status === 'absent' ? [] : expire(state, state.text)),
          { wait: false },
        );
        for (const { data } of events) if ('text' in data) gone.push({ conversation: id, text: data.text });
      }),
    );
  if (gone.length === 0) return;
  await withdrawIssues(call, organization, gone);
  if (call.store.dry) return;
  await dropTexts(
    call,
    gone.map(({ conversation: owner, text }) => ({ organization, owner, text })),
  );
  await answers.forget();
}
