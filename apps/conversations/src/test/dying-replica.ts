import { existsSync, mkdirSync } from 'node:fs';
import { Collection } from 'mongodb';

/**
 * A replica of conversations as a process of its own that kills itself when it is about to write something. Arguments:
 * a folder that all replicas share, and points: words that stand in what is written, or name the collection or the
 * method. Once there is a folder `armed` in it, one replica dies at each point.
 */
const [folder = '', ...points] = process.argv.slice(2);

const names = ['insertOne', 'insertMany', 'updateOne', 'updateMany', 'replaceOne', 'bulkWrite', 'deleteMany'] as const;
type Write = (this: Collection, ...given: unknown[]) => unknown;
const methods = Collection.prototype as Record<(typeof names)[number], Write>;

for (const name of names) {
  const write = methods[name];
  methods[name] = function (...given) {
    const words = `${this.collectionName} ${name} ${asText(given[0])} ${asText(given[1])}`;
    const point = points.findIndex((parts) => parts.split(' ').every((part) => words.includes(part)));
    if (point >= 0 && existsSync(`${folder}/armed`) && isFirst(`${folder}/${point}`))
      process.kill(process.pid, 'SIGKILL');
    return write.apply(this, given);
  };
}

function asText(given: unknown): string {
  const withoutBigInts = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);
  return (JSON.stringify(given, withoutBigInts) ?? '').replaceAll('\\', '');
}

/** Of all replicas one dies at each point. */
function isFirst(mark: string): boolean {
  try {
    mkdirSync(mark);
    return true;
  } catch {
    return false;
  }
}

await import('../main.js');
