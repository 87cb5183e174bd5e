import { edge } from './edge.js';
import { growth } from './growth.js';
import { librarySize } from './library-size.js';
import { logSize } from './log-size.js';
import { memory } from './memory.js';
import { rebuild } from './rebuild.js';
import type { Scenario } from './scenario.js';
import { signInLatency } from './sign-in-latency.js';
import { throughput } from './throughput.js';
import { visible } from './visible.js';

/** All scenarios in the order in which they run. */
export const scenarios: readonly Scenario[] = [
  ...throughput,
  edge,
  visible,
  signInLatency,
  logSize,
  rebuild,
  memory,
  growth,
  librarySize,
];
