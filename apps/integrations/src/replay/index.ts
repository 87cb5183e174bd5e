export { dropReplay } from './replays.operational.js';
