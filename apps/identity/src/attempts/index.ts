export { countAttempt, forgetAttempts, isCounted, uncountAttempt } from './attempts.operational.js';
export { Sweeper } from './sweep.timer.js';
