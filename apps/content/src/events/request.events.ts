import { changeRequestEventSchemas } from '@scriptorium/contracts';
import { defineEvents } from '@scriptorium/event-sourcing';

/** The creation of a change request broke off. Nothing is left of its branch then. */
export const requestAbandonment = defineEvents(changeRequestEventSchemas).pick('ChangeRequestAbandoned');
