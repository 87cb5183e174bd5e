import { defineDomain } from '@scriptorium/platform';
import { dropTextsCommand, dropTextsTimer } from './drop-texts.timer.js';
import { purgedSpacesReactor } from './texts.reactor.js';

/** What people wrote: stored outside of the log, so that it can be erased. */
export const texts = defineDomain({
  name: 'texts',
  reactors: ({ context }) => [purgedSpacesReactor(context)],
  timers: ({ context }) => ({ [dropTextsCommand]: dropTextsTimer(context) }),
});
