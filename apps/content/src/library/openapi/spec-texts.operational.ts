import type { SpecProblem } from '@scriptorium/contracts';
import { formVersion } from '@scriptorium/openapi';
import type { Scope } from '@scriptorium/platform';
import type { Collection } from 'mongodb';

type Within = Pick<Scope, 'database' | 'now'>;

/** What is said of a specification and may be secret or long: it stands where it can be removed, and not in events. */
interface SpecText {
  /** `<spec>/<name>` */
  _id: string;
  spec: string;
  /** Milliseconds since 1970. */
  at: number;
  /** The URL of a source. */
  url?: string;
  /** What a run has found. */
  problems?: readonly SpecProblem[];
  /** What the URL answered when it was read last, if that can be compared with what it answers next. */
  answered?: AnsweredText | null;
  /** SHA-256 of a document as YAML. */
  yaml?: string;
}

/** An answer of which the other side can tell whether it is still the same. */
export interface AnsweredText {
  etag?: string;
  lastModified?: string;
  /** SHA-256 of the document that was made of it. */
  document: string;
  /** The `formVersion` that it was made with. Earlier ones do not have it. */
  form?: number;
  /** The run that has read it, and how many problems it has found. */
  run: string;
  problems: number;
}

/** The name of what is known of a document as YAML. Another version of the forms may write it in another way. */
export function yamlNameOf(document: string): string {
  return `yaml-${formVersion}-${document}`;
}

export const specTextIndexes = { op_spec_texts: [{ key: { spec: 1 }, name: 'spec' }] } as const;

function texts({ database }: Pick<Within, 'database'>): Collection<SpecText> {
  return database.collection<SpecText>('op_spec_texts');
}

/** Keeps a text of a specification under a name. Safe to repeat. */
export async function keepText(
  scope: Within,
  spec: string,
  name: string,
  text: Pick<SpecText, 'url' | 'problems' | 'answered' | 'yaml'>,
): Promise<void> {
  await texts(scope).updateOne(
    { _id: `${spec}/${name}` },
    { $set: { spec, at: scope.now(), ...text } },
    { upsert: true },
  );
}

export async function findTexts(
  scope: Pick<Within, 'database'>,
  named: readonly { spec: string; name: string }[],
): Promise<ReadonlyMap<string, SpecText>> {
  const ids = named.map(({ spec, name }) => `${spec}/${name}`);
  const found = await texts(scope)
    .find({ _id: { $in: ids } })
    .limit(ids.length)
    .toArray();
  return new Map(found.map((text) => [text._id, text]));
}

/** Drops the texts of a specification. */
export async function dropTexts(scope: Pick<Within, 'database'>, spec: string): Promise<void> {
  await texts(scope).deleteMany({ spec });
}

/** Texts that are younger may belong to a request that is not in the log yet. */
export const youngMs = 3_600_000;
/** As many are dropped after a run. */
const mostDropped = 1_000;

/** Drops the texts of a specification that are old and not named. @returns their names */
export async function dropOldTexts(scope: Within, spec: string, kept: readonly string[]): Promise<string[]> {
  const ids = kept.map((name) => `${spec}/${name}`);
  const at = { $lt: scope.now() - youngMs };
  const old = await texts(scope)
    .find({ spec, _id: { $nin: ids }, at })
    .limit(mostDropped)
    .toArray();
  const dropped: string[] = [];
  for (const { _id } of old)
    if ((await texts(scope).deleteOne({ _id, at })).deletedCount === 1) dropped.push(_id.slice(spec.length + 1));
  return dropped;
}
