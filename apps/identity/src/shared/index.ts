export { countAttempt, forgetAttempts, isCounted, uncountAttempt } from './attempts.operational.js';
export { asPerson } from './as-person.process.js';
export { sortKey } from './sort-key.js';
export { Sweeper } from './sweep.timer.js';
export { type Urls } from './urls.js';
export { waitForProjections } from '@scriptorium/platform';
