import { createStore } from '@scriptorium/event-sourcing';
import { eventually } from '@scriptorium/testing';
import type { Rig } from './own-rig.js';

/** Fires the timer that purges a deleted space, which would take seven days. */
export async function purgeNow({ config }: Pick<Rig, 'config'>, space: string): Promise<void> {
  const { NAMESPACE: namespace, EVENTSTORE_URL: eventstoreUrl, MONGODB_URL: mongoUrl } = config;
  const content = createStore({ service: 'content', namespace, eventstoreUrl, mongoUrl });
  const timers = content.database.collection<{ _id: string }>('op_timers');
  const due = () => timers.updateOne({ _id: `purge_deleted:${space}` }, { $set: { due: 0 } });
  await eventually(async () => (await due()).matchedCount === 1);
  await content.stop();
}
