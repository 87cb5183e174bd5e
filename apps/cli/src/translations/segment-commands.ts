import { randomUUID } from 'node:crypto';
import { everyItem } from '../command-line/every-item.js';
import { explain } from '../installation/explain.js';
import { placeOf } from '../openapi/place.js';
import type { TranslationInput } from './translation-commands.js';

interface SegmentsInput extends TranslationInput {
  page?: string;
  problem: boolean;
  pinned: boolean;
}

/** `scriptorium translations segments`: one line for each text. */
export async function segmentsCommand(input: SegmentsInput): Promise<void> {
  const { client, organizationId } = await placeOf(input);
  const params = { organizationId, translationId: input.translation };
  const filter = {
    ...(input.page !== undefined && { pageId: input.page }),
    ...(input.problem && { problem: true }),
    ...(input.pinned && { pinned: true }),
  };
  const read = (cursor: { page?: string }) =>
    client.listTranslationSegments({ params, query: { ...filter, limit: 500, ...cursor } }).catch(explain);
  for await (const segment of everyItem(read)) {
    const { id, page: inPage, problems, source, target } = segment;
    const line = [id, inPage, problems.join(' '), inOneLine(source), inOneLine(target ?? '')].join('\t');
    input.answer(segment, `${line}\n`);
  }
}

const inOneLine = (text: string): string => text.replace(/\s+/g, ' ');

interface PinInput extends TranslationInput {
  segment: string;
  text: string | undefined;
}

/** `scriptorium translations pin`: corrects a text, or takes that back. */
export async function pinCommand(input: PinInput): Promise<void> {
  const { client, organizationId } = await placeOf(input);
  const params = { organizationId, translationId: input.translation, segmentId: input.segment };
  const body = { target: input.text ?? null };
  const segment = await client.updateTranslationSegment({ params, body, idempotencyKey: randomUUID() }).catch(explain);
  const { source, target } = segment;
  input.answer(segment, `${inOneLine(source)}\t${inOneLine(target ?? source)}\n`);
}
