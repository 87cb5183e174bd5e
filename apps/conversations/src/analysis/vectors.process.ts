import { maskPersonal, withoutMarks, type EmbedText, type ExtractedIssue, type Vector } from '@scriptorium/clustering';
import { endOutage } from '../models/index.js';
import { findVectors, storeVectors, type TextPart } from '../texts/index.js';
import type { Reading } from './reading.process.js';

/** An issue, and where its text is. */
export interface PlacedText {
  part: TextPart;
  issue: Pick<ExtractedIssue, 'title' | 'summary' | 'terms'>;
}

type Embedding = Omit<Reading, 'store'>;

/** Texts of one request to a model. */
const textsAtOnce = 32;

/**
 * The vectors of issues, in their order. Those of a model are looked up, and asked for where there are none.
 * @throws ModelFailure when the model gives none; what it gave before is kept
 */
export async function vectorsOf(embedding: Embedding, issues: readonly PlacedText[]): Promise<Vector[]> {
  const { context, organization, embedder } = embedding;
  if (embedder.kind === 'terms') return embed(embedding, issues.map(textOf));
  const { version } = embedder;
  const known: (Vector | undefined)[] = (
    await findVectors(
      context,
      version,
      issues.map(({ part }) => part),
    )
  ).map((values) => values && { kind: 'dense', values });
  const missing = [...known.entries()].filter(([, vector]) => vector === undefined).map(([index]) => index);
  for (let start = 0; start < missing.length; start += textsAtOnce) {
    const some = missing.slice(start, start + textsAtOnce).flatMap((index) => {
      const issue = issues[index];
      return issue === undefined ? [] : [{ index, issue }];
    });
    const made = await embed(
      embedding,
      some.map(({ issue }) => textOf(issue)),
    );
    const stored = some.flatMap(({ index, issue: { part } }, n) => {
      const vector = made[n];
      known[index] = vector;
      return vector?.kind === 'dense' ? [{ part, values: vector.values }] : [];
    });
    await storeVectors(context, version, stored);
  }
  if (missing.length > 0) await endOutage(context, organization);
  return known.filter((vector) => vector !== undefined);
}

/** The vectors of texts that are not stored. @throws ModelFailure */
export async function embed({ embedder, signal }: Embedding, texts: readonly EmbedText[]): Promise<Vector[]> {
  const vectors: Vector[] = [];
  const atOnce = embedder.kind === 'terms' ? texts.length : textsAtOnce;
  for (let start = 0; start < texts.length; start += atOnce)
    vectors.push(...(await embedder.embed(texts.slice(start, start + atOnce), signal)));
  return vectors;
}

/** What was found before masks knew a form is masked now. */
function textOf({ issue: { title, summary, terms } }: PlacedText): EmbedText {
  const masked = maskPersonal(title === summary ? title : `${title}\n${summary}`);
  const plain = withoutMarks(masked).trim();
  return { text: plain === '' ? masked : plain, terms };
}
