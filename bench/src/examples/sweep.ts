import { operationList, type Operation } from '@scriptorium/contracts';
import type { Place, Recorder } from './recorder.js';

const timeoutMs = 30_000;
const triesOfOperation = 12;

/** Asks each GET that nobody has asked, at the newest places where others were asked, until it is answered. */
export async function sweep({ endpoint, seen, places }: Recorder): Promise<void> {
  for (const op of operationList) {
    if (op.method !== 'GET' || op.response === undefined || seen.has(op.id)) continue;
    for (const { params, authorization } of placesOf(op, places, triesOfOperation)) {
      const path = op.path.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '');
      const signal = AbortSignal.timeout(timeoutMs);
      const { ok } = await fetch(`${endpoint}/v1${path}`, { headers: { authorization }, signal });
      if (ok) break;
    }
  }
}

/** The newest places, at most so many, where an operation can be asked: those that have its parameters. */
export function placesOf({ params }: Operation, places: readonly Place[], most: number): Place[] {
  const names = Object.keys(params.shape);
  const having = places.filter((place) => names.every((name) => name in place.params));
  const distinct = new Map(
    having.map((place) => [`${place.authorization} ${names.map((name) => place.params[name]).join(' ')}`, place]),
  );
  return [...distinct.values()].reverse().slice(0, most);
}
