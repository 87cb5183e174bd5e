import { defineRun, runHandler, type RunHandler } from '@scriptorium/event-sourcing';
import type { ServiceContext } from '@scriptorium/platform';
import * as z from 'zod';
import { endTransfer } from '../nodes/index.js';
import type { ContentObjects } from '../../versions/index.js';
import { followTransfer } from './follow-transfer.process.js';

/** Brings a transfer to its end. It cannot be cancelled: what it is about is closed to changes until then. */
export const transferRun = defineRun({
  kind: 'transfer',
  input: z.object({ from: z.string(), to: z.string(), transfer: z.string() }),
  /** `after`: how many streams have followed. */
  state: z.object({ after: z.int() }),
  begin: () => ({ after: 0 }),
  cancellable: false,
  // As many as there can be spaces: each can be on its way by itself.
  openAtMost: 120_000,
});

export function transferHandler(context: ServiceContext, objects: ContentObjects): RunHandler {
  return runHandler(transferRun, {
    async step({ after }, store, { input }) {
      const scope = context.scope(store);
      if (after === 0) await endTransfer(store, { ...input, limits: context.limits });
      const followed = await followTransfer(scope, objects, { ...input, after });
      return followed === undefined ? { done: null } : { next: { after: followed }, progress: { done: followed } };
    },
  });
}
