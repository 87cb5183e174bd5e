// Servers in a process of their own, as under `npm start`, and the domain that the benches write.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { createStore, defineAggregate, defineEvents, localBroadcast, projection } from '@scriptorium/event-sourcing';

const noteEvents = defineEvents({
  NoteWritten: z.object({ title: z.string(), organization: z.string() }),
  NoteRenamed: z.object({ title: z.string() }),
});

export const note = defineAggregate({
  service: 'bench',
  entity: 'note',
  events: noteEvents,
  initial: { title: undefined },
  evolve: (_state, event) => ({ title: event.data.title }),
});

export const noteList = projection({
  name: 'note_list',
  version: 1,
  events: [noteEvents],
  entities: ['note'],
  indexes: [{ key: { organization: 1, title: 1, _id: 1 } }],
  id: (event) => event.entityId,
  evolve: (doc, event) =>
    event.type === 'NoteWritten'
      ? { ...event.data, renamed: 0 }
      : doc && { ...doc, title: event.data.title, renamed: doc.renamed + 1 },
});

export const context = {
  actor: { kind: 'user', id: 'u1' },
  organization: 'o1',
  operation: 'bench',
  correlation: 'bench',
};

export async function startWorld() {
  const folder = await mkdtemp(join(tmpdir(), 'event-sourcing-bench-'));
  const child = fork(new URL('./servers.mjs', import.meta.url), [folder]);
  const [urls] = await once(child, 'message');
  const broadcast = localBroadcast();
  return {
    ...urls,
    open: (more = {}) => createStore({ service: 'bench', namespace: 'bench', ...urls, broadcast, ...more }),
    async stop() {
      child.send('stop');
      await once(child, 'exit');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Runs `work` from `writers` sides until `total` are done; returns how many a second. */
export async function rate(writers, total, work) {
  let next = 0;
  const began = performance.now();
  await Promise.all(
    Array.from({ length: writers }, async () => {
      while (next < total) await work(next++);
    }),
  );
  return total / ((performance.now() - began) / 1000);
}
