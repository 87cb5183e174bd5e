import { AppError, limitReached } from '@scriptorium/contracts';
import { type SiteEvent, requireActive, type SiteState } from '../model/index.js';

export function create(
  state: SiteState,
  { link, name, limit }: { link: string; name: string; limit: number },
): SiteEvent[] {
  const { links } = requireActive(state);
  if (links.some(({ id }) => id === link)) return [];
  if (links.length >= limit) throw limitReached('shareLinksPerSite', limit);
  return [{ type: 'ShareLinkCreated', data: { link, name } }];
}

export function change(
  state: SiteState,
  link: string,
  wanted: { name?: string | undefined; active?: boolean | undefined },
): SiteEvent[] {
  const found = requireActive(state).links.find(({ id }) => id === link);
  if (found === undefined) throw new AppError('not_found');
  const { name = found.name, active = found.active } = wanted;
  const events: SiteEvent[] = [];
  if (name !== found.name) events.push({ type: 'ShareLinkRenamed', data: { link, name } });
  if (active !== found.active)
    events.push({ type: active ? 'ShareLinkActivated' : 'ShareLinkDeactivated', data: { link } });
  return events;
}

export function remove(state: SiteState, link: string): SiteEvent[] {
  const isThere = requireActive(state).links.some(({ id }) => id === link);
  return isThere ? [{ type: 'ShareLinkDeleted', data: { link } }] : [];
}
