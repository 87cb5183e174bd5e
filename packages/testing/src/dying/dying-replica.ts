import { existsSync, mkdirSync } from 'node:fs';
import { Collection, Db } from 'mongodb';

/**
 * A replica of a service as a process of its own that kills itself when it is about to write something. Arguments: the
 * service's `main.js`, a folder that all replicas share, and points: words that stand in what is written, or name the
 * collection or the method. Once there is a folder `armed` in it, one replica dies at each point.
 */
const [main = '', folder = '', ...points] = process.argv.slice(2);

type Method = (this: unknown, ...given: unknown[]) => unknown;

watch(Collection.prototype, ['insertOne', 'insertMany', 'updateOne', 'updateMany', 'replaceOne', 'bulkWrite']);
watch(Collection.prototype, ['deleteOne', 'deleteMany']);
// Read models are written by commands.
watch(Db.prototype, ['command']);

/** Has the process die before one of these methods writes what a point says. */
function watch<T extends object, Name extends keyof T & string>(prototype: T, names: readonly Name[]): void {
  for (const name of names) {
    const own = prototype[name] as Method;
    const watched = function (this: { collectionName?: string }, ...given: unknown[]): unknown {
      dieAtPoint(`${this.collectionName ?? ''} ${name} ${textOf(given)}`);
      return own.apply(this, given);
    };
    Object.defineProperty(prototype, name, { value: watched });
  }
}

function dieAtPoint(written: string): void {
  const point = points.findIndex((parts) => parts.split(' ').every((part) => written.includes(part)));
  if (point >= 0 && existsSync(`${folder}/armed`) && isFirst(`${folder}/${point}`))
    process.kill(process.pid, 'SIGKILL');
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

await import(main);
