import { memory } from './memory.js';
import type { Scenario } from './scenario.js';
import { throughput } from './throughput.js';

/** All scenarios in the order in which they run. */
export const scenarios: readonly Scenario[] = [...throughput, memory];
