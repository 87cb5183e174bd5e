import type { TimerHandler } from '@scriptorium/event-sourcing';
import { requestSweep } from './sweep-pool.run.js';

/** Begins the sweep that a timer was scheduled for. */
export const sweepTimer: TimerHandler = ({ data }, store) => requestSweep(store, data);
