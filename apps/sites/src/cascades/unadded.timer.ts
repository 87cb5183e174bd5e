import type { StoreScope, TimerHandler } from '@scriptorium/event-sourcing';
import * as z from 'zod';
import { eraseSite } from './erase-site.process.js';
import { directory, has } from '../directory/index.js';

/** The command of the timers that remove sites that were created and never added to a directory. */
export const unaddedCommand = 'drop_unadded_site';

/** Longer than any request that creates something takes, ms. */
const afterMs = 3_600_000;

const Created = z.object({ organization: z.string(), site: z.string() });

/**
 * Looks after a site whose stream has begun. The request that creates it may end before the directory has it: then
 * nobody sees it, and it is removed an hour later. If the organization was deleted meanwhile, the site is removed at
 * once.
 */
export async function lookAfterNew(store: StoreScope, created: z.input<typeof Created>, time: string): Promise<void> {
  const { organization, site } = created;
  const inside = store.in(organization);
  const { closed } = await store.load(directory, organization);
  if (closed) await eraseSite(inside, site);
  await inside.schedule({
    id: `${unaddedCommand}:${site}`,
    at: Date.parse(time) + afterMs,
    command: unaddedCommand,
    data: created,
  });
}

export const unaddedTimer: TimerHandler = async ({ data }, store) => {
  const { organization, site } = Created.parse(data);
  if (!has(await store.load(directory, organization), site)) await eraseSite(store.in(organization), site);
};
