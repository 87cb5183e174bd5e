import { defineAggregate } from '@scriptorium/event-sourcing';
import { customizationEvents, type CustomizationEvent } from '../model/index.js';
import { changedChoice, type Chosen } from './choices.js';

/** What was chosen of how a site, or a space of a site, looks. */
export interface Customization {
  chosen: Chosen;
}

function evolve(_state: Customization, event: CustomizationEvent): Customization {
  return { chosen: event.type === 'SiteSpaceCustomizationCleared' ? {} : event.data.settings };
}

/** How a site looks, or what a space of it overrides: one stream each. */
export const customization = defineAggregate<Customization, typeof customizationEvents>({
  service: 'sites',
  entity: 'customization',
  events: customizationEvents,
  initial: { chosen: {} },
  evolve,
});

/** Replaces how a site looks. */
export function replace({ chosen }: Customization, site: string, wanted: Chosen): CustomizationEvent[] {
  const settings = changedChoice({}, wanted);
  return isSame(settings, chosen) ? [] : [{ type: 'SiteCustomized', data: { site, settings } }];
}

/** Changes what a space of a site overrides. */
export function override(
  { chosen }: Customization,
  { site, siteSpace }: { site: string; siteSpace: string },
  change: Chosen,
): CustomizationEvent[] {
  const settings = changedChoice(chosen, change);
  if (isSame(settings, chosen)) return [];
  return Object.keys(settings).length === 0
    ? [{ type: 'SiteSpaceCustomizationCleared', data: { site, siteSpace } }]
    : [{ type: 'SiteSpaceCustomized', data: { site, siteSpace, settings } }];
}

/** Takes back all that a space of a site overrides. */
export function clear(
  { chosen }: Customization,
  { site, siteSpace }: { site: string; siteSpace: string },
): CustomizationEvent[] {
  return Object.keys(chosen).length === 0 ? [] : [{ type: 'SiteSpaceCustomizationCleared', data: { site, siteSpace } }];
}

function isSame(a: Chosen, b: Chosen): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
