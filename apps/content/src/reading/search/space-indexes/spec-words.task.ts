import {
  readSpecification,
  UnreadableSpecification,
  type Outline,
  type OutlineModel,
  type OutlineOperation,
} from '@scriptorium/openapi';

/** What a specification says of an operation or a schema. */
export interface Words {
  title: string;
  description: string;
  /** Names of parameters and of properties. */
  names: string;
}

/** The words of the parts of a specification, by the keys of these. */
export type WordsOfParts = (readonly [key: string, words: Words])[];

/** What an outline says, or a specification that is a file. */
interface Outlined {
  operations: readonly OutlineOperation[];
  webhooks: readonly OutlineOperation[];
  models: readonly OutlineModel[];
}

function wordsIn({ operations, webhooks, models }: Outlined): WordsOfParts {
  const words = new Map<string, Words>();
  for (const operation of operations) words.set(`${operation.method} ${operation.path}`, wordsOfOperation(operation));
  for (const webhook of webhooks) {
    const { method, path } = webhook;
    words.set(`webhook ${method} ${path}`, wordsOfOperation(webhook));
    if (!words.has(`webhook  ${path}`)) words.set(`webhook  ${path}`, wordsOfOperation(webhook));
  }
  for (const { name, description, properties } of models) {
    const names = properties.map((property) => `${property.name} ${property.description}`).join('\n');
    words.set(`schema ${name}`, { title: name, description, names });
  }
  return [...words];
}

function wordsOfOperation({ title, description, names }: OutlineOperation): Words {
  return { title, description, names: names.join(' ') };
}

/**
 * The words of an outline, or of a specification that is a file; none of a text that is none. Pure, so that it can run
 * in a worker.
 */
export function wordsOfText({ text, isOutline }: { text: string; isOutline: boolean }): WordsOfParts {
  if (isOutline) return wordsIn(JSON.parse(text) as Outline);
  try {
    const { tags, models } = readSpecification(text);
    return wordsIn({ operations: tags.flatMap(({ operations }) => operations), webhooks: [], models });
  } catch (error) {
    // A text that nests too deeply exhausts the stack of the parser.
    if (error instanceof UnreadableSpecification || error instanceof RangeError) return [];
    throw error;
  }
}
