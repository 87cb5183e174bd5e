import { AppError, blaming, invalid, limitReached, type RedirectDestination } from '@scriptorium/contracts';
import { defineAggregate, emptyKeyed, keyedDrop, keyedGet, keyedPut, type Keyed } from '@scriptorium/event-sourcing';
import { redirectEvents, type RedirectEvent } from '../model/index.js';

interface Redirect {
  source: string;
  destination: RedirectDestination;
}

/** The redirects of a site by id, and their ids by source. */
export interface Redirects {
  byId: Keyed<Redirect>;
  bySource: Keyed<string>;
}

function evolve(state: Redirects, event: RedirectEvent): Redirects {
  const id = event.data.redirect;
  const present = keyedGet(state.byId, id);
  switch (event.type) {
    case 'SiteRedirectAdded':
      return put(state, id, event.data);
    case 'SiteRedirectSourceChanged':
      return present === undefined ? state : put(drop(state, id), id, { ...present, source: event.data.source });
    case 'SiteRedirectDestinationChanged':
      return present === undefined ? state : put(state, id, { ...present, destination: event.data.destination });
    case 'SiteRedirectRemoved':
      return drop(state, id);
  }
}

function put({ byId, bySource }: Redirects, id: string, { source, destination }: Redirect): Redirects {
  return { byId: keyedPut(byId, id, { source, destination }), bySource: keyedPut(bySource, source, id) };
}

function drop({ byId, bySource }: Redirects, id: string): Redirects {
  const present = keyedGet(byId, id);
  return present === undefined
    ? { byId, bySource }
    : { byId: keyedDrop(byId, id), bySource: keyedDrop(bySource, present.source) };
}

/** The redirects of a site: one stream, since each source leads to one place. */
export const redirects = defineAggregate<Redirects, typeof redirectEvents>({
  service: 'sites',
  entity: 'redirects',
  events: redirectEvents,
  initial: { byId: emptyKeyed, bySource: emptyKeyed },
  evolve,
});

/** The path on the site to which a destination leads that is an address of it; `undefined` for all others. */
export type PathOnSite = (destination: RedirectDestination) => string | undefined;

/**
 * @throws AppError `already_exists` for a source that has a redirect, `invalid_request` for one that leads to itself,
 * `limit_reached`
 */
export function add(
  state: Redirects,
  {
    id: redirect,
    source,
    destination,
    limit,
    pathOnSite,
  }: Redirect & { id: string; limit: number; pathOnSite: PathOnSite },
): RedirectEvent[] {
  if (keyedGet(state.byId, redirect) !== undefined) return [];
  refuseTaken(state, redirect, source);
  refuseLoop(state, { source, destination }, pathOnSite);
  if (state.byId.size >= limit) throw limitReached('redirectsPerSite', limit);
  return [{ type: 'SiteRedirectAdded', data: { redirect, source, destination } }];
}

export function change(
  state: Redirects,
  redirect: string,
  wanted: { source?: string | undefined; destination?: RedirectDestination | undefined; pathOnSite: PathOnSite },
): RedirectEvent[] {
  const present = keyedGet(state.byId, redirect);
  if (present === undefined) throw new AppError('not_found');
  const { source = present.source, destination = present.destination } = wanted;
  const events: RedirectEvent[] = [];
  if (source !== present.source) {
    refuseTaken(state, redirect, source);
    events.push({ type: 'SiteRedirectSourceChanged', data: { redirect, source } });
  }
  if (JSON.stringify(destination) !== JSON.stringify(present.destination))
    events.push({ type: 'SiteRedirectDestinationChanged', data: { redirect, destination } });
  if (events.length > 0) refuseLoop(drop(state, redirect), { source, destination }, wanted.pathOnSite);
  return events;
}

export function remove(state: Redirects, redirect: string): RedirectEvent[] {
  return keyedGet(state.byId, redirect) === undefined ? [] : [{ type: 'SiteRedirectRemoved', data: { redirect } }];
}

function refuseTaken({ bySource }: Redirects, redirect: string, source: string): void {
  const holder = keyedGet(bySource, source);
  if (holder !== undefined && holder !== redirect)
    throw blaming('already_exists', 'body.source', 'Another redirect has this source');
}

/** Follows redirects by addresses of the site itself. Each source is passed once, so this ends. */
function refuseLoop({ byId, bySource }: Redirects, { source, destination }: Redirect, pathOnSite: PathOnSite): void {
  const passed = new Set<string>();
  for (let next = pathOnSite(destination); next !== undefined && !passed.has(next);) {
    if (next === source) throw invalid('body.destination', 'The redirect would lead to itself');
    passed.add(next);
    const following = keyedGet(byId, keyedGet(bySource, next) ?? '');
    next = following === undefined ? undefined : pathOnSite(following.destination);
  }
}
