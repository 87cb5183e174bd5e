import { erasureEventSchemas, rosterEventSchemas, teamEventSchemas } from '@scriptorium/contracts';
import { defineEvents } from '@scriptorium/event-sourcing';

export const rosterEvents = defineEvents(rosterEventSchemas);
export const teamEvents = defineEvents(teamEventSchemas);
export const erasureEvents = defineEvents(erasureEventSchemas).pick('UserErased');
