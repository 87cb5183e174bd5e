import { existsSync, mkdirSync } from 'node:fs';
import { Collection } from 'mongodb';

/**
 * A replica of content as a process of its own that kills itself when it is about to write something. Arguments: a
 * folder that all replicas share, and points: words that stand in what is written, or name the collection or the
 * method. Once there is a folder `armed` in it, one replica dies at each point.
 */
const [folder = '', ...points] = process.argv.slice(2);

const writes = ['insertOne', 'insertMany', 'updateOne', 'updateMany', 'bulkWrite', 'deleteOne', 'deleteMany'] as const;
type Write = (this: Collection, ...given: unknown[]) => unknown;
const methods = Collection.prototype as Record<(typeof writes)[number], Write>;

for (const name of writes) {
  const own = methods[name];
  methods[name] = function (...given) {
    const written = `${this.collectionName} ${name} ${textOf(given)}`;
    const point = points.findIndex((parts) => parts.split(' ').every((part) => written.includes(part)));
    if (point >= 0 && existsSync(`${folder}/armed`) && isFirst(`${folder}/${point}`))
      process.kill(process.pid, 'SIGKILL');
    return own.apply(this, given);
  };
}

/** What is written, as JSON without the marks of JSON within JSON. */
function textOf(given: unknown[]): string {
  const plain = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);
  return JSON.stringify(given.slice(0, 2), plain).replaceAll('\\', '');
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
