export { countFree, type Daily, takeTurn } from './turns.operational.js';
export { countAttempt, forgetAttempts, isCounted, uncountAttempt } from './attempts.operational.js';
export { Sweeper } from './sweep.timer.js';
