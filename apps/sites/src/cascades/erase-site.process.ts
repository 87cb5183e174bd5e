import type { StoreScope } from '@scriptorium/event-sourcing';
import { customization } from '../customization/index.js';
import { basenameOf, basenames, proxies, site, siteHostnames } from '../model/index.js';
import { redirects } from '../redirects/index.js';

/**
 * Removes what is left of a site: its unique values, and its streams, the one that names all others last. Safe to
 * repeat.
 */
export async function eraseSite(store: StoreScope, id: string): Promise<void> {
  const state = await store.load(site, id);
  if (state.status === 'absent') return;
  const { structure, proxy, hostname } = state;
  for (const looking of [id, ...structure.siteSpaces.map((one) => one.id)]) await store.erase(customization, looking);
  await store.erase(redirects, id);
  await store.release(basenames, { value: basenameOf(state), owner: id });
  if (proxy !== null) await store.release(proxies, { value: proxy, owner: id });
  if (hostname !== null) await store.release(siteHostnames, { value: hostname, owner: id });
  await store.erase(site, id);
}
