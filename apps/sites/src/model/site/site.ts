import { AppError } from '@scriptorium/contracts';
import { defineAggregate, type EventDataOf, type Metadata } from '@scriptorium/event-sourcing';
import { siteEvents, type SiteEvent } from '../site.events.js';
import { grantsAfter, noGrants, type SiteGrants } from './grants.js';
import { linksAfter, type ShareLinkState } from './links.js';
import { settingsAfter, type SiteSettings } from './settings.js';
import { structureAfter } from '../structure/structure-after.js';
import { emptyStructure, type Structure } from '../structure/structure.js';

/** Everything that is recorded of a site, in the aggregate and in the read model. */
export interface RecordedSite extends SiteSettings {
  organization: string;
  structure: Structure;
  links: readonly ShareLinkState[];
  /** Counts what ends the content tokens that were issued before. */
  generation: number;
  grants: SiteGrants;
}
export interface ActiveSite extends RecordedSite {
  status: 'active';
}
export type SiteState = { status: 'absent' } | ActiveSite;

function evolve(state: SiteState, event: SiteEvent, { time }: Metadata): SiteState {
  if (event.type === 'SiteCreated') return { status: 'active', ...createdSite(event.data) };
  if (state.status === 'absent') return state;
  return { ...state, ...siteAfter(state, event, time) };
}

/** A site after an event. `time`: when that was recorded. */
export function siteAfter<S extends RecordedSite>(site: S, event: SiteEvent, time: string): S {
  return {
    ...settingsAfter(site, event),
    structure: structureAfter(site.structure, event),
    links: linksAfter(site.links, event, time),
    generation: site.generation + Number(endsTokens.has(event.type)),
    grants: grantsAfter(site.grants, event),
  };
}

/** Who was let in before may not be let in any more, or has other claims now. */
const endsTokens: ReadonlySet<string> = new Set<SiteEvent['type']>([
  'SiteUnpublished',
  'SiteVisibilityChanged',
  'ShareLinkDeactivated',
  'ShareLinkDeleted',
  'SiteAdaptiveContentEnabled',
  'SiteAdaptiveContentDisabled',
  'SiteAdaptiveSchemaReplaced',
]);

/** A site as it is created. */
export function createdSite({ organization, ...settings }: EventDataOf<SiteEvent, 'SiteCreated'>): RecordedSite {
  return {
    organization,
    ...newSettings,
    ...settings,
    structure: emptyStructure,
    links: [],
    generation: 0,
    grants: noGrants,
  };
}

const newSettings = {
  published: false,
  proxy: null,
  hostname: null,
  isHostnameVerified: false,
  adaptiveContent: false,
  adaptiveSchema: null,
  agentsContext: 'excluded',
} as const;

/** The settings of a site and what stands on it. Whether it exists is in the directory of its organization. */
export const site = defineAggregate({
  service: 'sites',
  entity: 'site',
  events: siteEvents,
  initial: { status: 'absent' },
  evolve,
});

/** @throws AppError `not_found` for a site that is not there */
export function requireActive(state: SiteState): ActiveSite {
  if (state.status === 'absent') throw new AppError('not_found');
  return state;
}
