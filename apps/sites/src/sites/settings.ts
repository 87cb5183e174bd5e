import { AppError, invalid } from '@scriptorium/contracts';
import {
  type SiteEvent,
  createdSite,
  requireActive,
  sectionIn,
  siteSpaceIn,
  structureAfter,
  type SiteSettings,
  type SiteState,
  type Structure,
} from '../model/index.js';
import { spaceAdded, type NewSiteSpace } from '../structure/index.js';

export interface NewSite extends Pick<SiteSettings, 'title' | 'type' | 'visibility' | 'basename'> {
  organization: string;
  spaces: readonly NewSiteSpace[];
  limits: { siteSpacesPerSite: number };
}

/** Creates a site with spaces, the first of which is the default. */
export function create(state: SiteState, { spaces, limits, ...created }: NewSite): SiteEvent[] {
  if (state.status === 'active') return [];
  const { structure } = createdSite(created);
  let after: Structure = structure;
  const added = spaces.map((one) => {
    const event = spaceAdded(after, { section: null, added: one, limits });
    after = structureAfter(after, event);
    return event;
  });
  return [{ type: 'SiteCreated', data: created }, ...added];
}

/** Settings that a change may name; what it leaves out stays as it is. */
export interface SettingsChange {
  title?: string | undefined;
  visibility?: SiteSettings['visibility'] | undefined;
  basename?: string | undefined;
  hostname?: string | null | undefined;
  proxy?: string | null | undefined;
  adaptiveContent?: boolean | undefined;
  agentsContext?: SiteSettings['agentsContext'] | undefined;
  defaultSiteSpace?: string | undefined;
  defaultSiteSection?: string | undefined;
}

type Settings = Pick<
  SiteSettings,
  'title' | 'visibility' | 'basename' | 'hostname' | 'proxy' | 'adaptiveContent' | 'agentsContext'
>;

/** The event that records a new value of a setting. */
const recorded: { [K in keyof Settings]: (value: Settings[K]) => SiteEvent } = {
  title: (title) => ({ type: 'SiteRenamed', data: { title } }),
  visibility: (visibility) => ({ type: 'SiteVisibilityChanged', data: { visibility } }),
  basename: (basename) => ({ type: 'SiteBasenameChanged', data: { basename } }),
  hostname: (hostname) => ({ type: 'SiteHostnameChanged', data: { hostname } }),
  proxy: (proxy) => ({ type: 'SiteProxyChanged', data: { proxy } }),
  adaptiveContent: (on) => ({ type: on ? 'SiteAdaptiveContentEnabled' : 'SiteAdaptiveContentDisabled', data: {} }),
  agentsContext: (agentsContext) => ({ type: 'SiteAgentsContextChanged', data: { agentsContext } }),
};

/** One event for each setting that differs. @throws AppError `invalid_request` for a default that is not on the site */
export function configure(state: SiteState, change: SettingsChange): SiteEvent[] {
  const active = requireActive(state);
  const record = <K extends keyof Settings>(name: K): SiteEvent[] => {
    const value = (change as Partial<Settings>)[name];
    return value === undefined || value === active[name] ? [] : [recorded[name](value)];
  };
  return [
    ...(Object.keys(recorded) as (keyof Settings)[]).flatMap(record),
    ...changedDefaults(active.structure, change),
  ];
}

function changedDefaults(structure: Structure, { defaultSiteSection, defaultSiteSpace }: SettingsChange): SiteEvent[] {
  const events: SiteEvent[] = [];
  if (defaultSiteSection !== undefined && sectionIn(structure, defaultSiteSection) === undefined)
    throw invalid('body.defaultSiteSection', 'There is no such section on the site');
  const section = defaultSiteSection ?? structure.defaultSection;
  if (section !== null && section !== structure.defaultSection)
    events.push({ type: 'SiteDefaultSectionChanged', data: { section } });
  if (defaultSiteSpace === undefined) return events;
  if (siteSpaceIn(structure, defaultSiteSpace)?.section !== section)
    throw invalid('body.defaultSiteSpace', 'There is no such site space among those that can be the default');
  const present = section === null ? structure.defaultSpace : sectionIn(structure, section)?.defaultSpace;
  if (present === defaultSiteSpace) return events;
  return [...events, { type: 'SiteDefaultSpaceChanged', data: { section, siteSpace: defaultSiteSpace } }];
}

/** Records that the hostname is verified, once. @throws AppError `conflict` if the site has another hostname by now */
export function verifyHostname(state: SiteState, hostname: string): SiteEvent[] {
  const active = requireActive(state);
  if (active.hostname !== hostname) throw new AppError('conflict', [], { retryAfter: 1 });
  return active.isHostnameVerified ? [] : [{ type: 'SiteHostnameVerified', data: { hostname } }];
}

export function publish(state: SiteState): SiteEvent[] {
  return requireActive(state).published ? [] : [{ type: 'SitePublished', data: {} }];
}

export function unpublish(state: SiteState): SiteEvent[] {
  return requireActive(state).published ? [{ type: 'SiteUnpublished', data: {} }] : [];
}
