import type { StoreScope } from '@scriptorium/event-sourcing';
import { basenames, proxies, siteHostnames, site, basenameOf } from '../model/index.js';

/** Removes what is left of a site: its unique values, and its stream. Safe to repeat. */
export async function eraseSite(store: StoreScope, id: string): Promise<void> {
  const state = await store.load(site, id);
  if (state.status === 'absent') return;
  await store.erase(site, id);
  await store.release(basenames, { value: basenameOf(state), owner: id });
  if (state.proxy !== null) await store.release(proxies, { value: state.proxy, owner: id });
  if (state.hostname !== null) await store.release(siteHostnames, { value: state.hostname, owner: id });
}
