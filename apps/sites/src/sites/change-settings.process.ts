import { AppError, blaming, invalid } from '@scriptorium/contracts';
import type { ReservationKind } from '@scriptorium/event-sourcing';
import type { Call } from '@scriptorium/platform';
import {
  basenameOf,
  basenames,
  proxies,
  requireActive,
  site,
  sites,
  siteHostnames,
  type Publishing,
} from '../model/index.js';
import { configure, type SettingsChange } from './settings.js';

/** A unique value that a change gives to a site, with the one that the site has now. */
interface Exchange {
  kind: ReservationKind;
  field: string;
  from: string | null;
  to: string | null;
}

/**
 * Changes settings of a site, all or none. A new basename or proxy is reserved first, and the old one released.
 * @throws AppError `already_exists` and `invalid_request` that name the field
 */
export async function changeSettings(
  call: Call,
  publishing: Publishing,
  id: string,
  change: SettingsChange,
): Promise<void> {
  const { store } = call;
  const here = store.within({ site: id });
  const present = requireActive(await store.load(site, id));
  const wanted = { ...change, ...(typeof change.proxy === 'string' ? { proxy: withLowerHost(change.proxy) } : {}) };
  refuseOwn(publishing, 'body.proxy', wanted.proxy?.split('/')[0]);
  refuseOwn(publishing, 'body.hostname', wanted.hostname);
  if (typeof wanted.hostname === 'string') await refuseTaken(call, id, wanted.hostname);
  const unique = [
    exchange('body.basename', basenames, basenameOf(present), ofOrganization(present.organization, wanted.basename)),
    exchange('body.proxy', proxies, present.proxy, wanted.proxy),
    exchange(
      'body.hostname',
      siteHostnames,
      present.isHostnameVerified ? present.hostname : null,
      // A new hostname counts, and is unique, once it is verified.
      wanted.hostname === undefined || wanted.hostname === present.hostname ? undefined : null,
    ),
  ].filter((one) => one !== null);
  const append = () =>
    here.handle(site, id, (state) => {
      const now = requireActive(state);
      const hasMoved =
        basenameOf(now) !== basenameOf(present) ||
        now.proxy !== present.proxy ||
        now.isHostnameVerified !== present.isHostnameVerified;
      // Another change was faster: the values that this one gives up would never be released.
      if (hasMoved && unique.length > 0) throw new AppError('conflict', [], { retryAfter: 1 });
      return configure(state, wanted);
    });
  await unique.reduce<() => Promise<unknown>>((next, one) => () => exchanging(call, id, one, next), append)();
}

function ofOrganization(organization: string, basename: string | undefined): string | undefined {
  return basename === undefined ? undefined : basenameOf({ organization, basename });
}

/** Hosts are compared without regard to case, paths are not. */
function withLowerHost(proxy: string): string {
  const slash = proxy.indexOf('/');
  return proxy.slice(0, slash).toLowerCase() + proxy.slice(slash);
}

function exchange(
  field: string,
  kind: ReservationKind,
  from: string | null,
  to: string | null | undefined,
): Exchange | null {
  return to === undefined || to === from ? null : { kind, field, from, to };
}

async function exchanging(
  { store }: Call,
  owner: string,
  { kind, field, from, to }: Exchange,
  append: () => Promise<unknown>,
): Promise<unknown> {
  if (to === null) return from === null ? append() : store.giveUp(kind, { value: from, owner }, append);
  let isAppending = false;
  try {
    return await store.reserve(kind, { value: to, owner, previous: from ?? undefined }, () => {
      isAppending = true;
      return append();
    });
  } catch (error) {
    if (!isAppending && error instanceof AppError && error.reason === 'already_exists')
      throw blaming('already_exists', field, 'Another site has it');
    throw error;
  }
}

/** A site at a host of the installation would stand in the way of the API or of other sites. */
function refuseOwn(publishing: Publishing, field: string, host: string | null | undefined): void {
  if (host != null && publishing.isOwnHost(host.toLowerCase()))
    throw invalid(field, 'This host belongs to the installation; choose another one');
}

/** Whoever has verified a hostname keeps it. */
async function refuseTaken({ store }: Call, id: string, hostname: string): Promise<void> {
  const found = await store.read(sites).findOne({ hostname, isHostnameVerified: true });
  if (found !== null && found._id !== id) throw blaming('already_exists', 'body.hostname', 'Another site has it');
}
