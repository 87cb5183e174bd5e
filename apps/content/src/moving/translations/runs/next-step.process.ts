import { build } from './build.process.js';
import { commitResult } from './commit.process.js';
import { plan } from './plan.process.js';
import type { RequestGate } from './request-gate.js';
import { segment } from './segment.process.js';
import { translate } from './translate.process.js';
import type { RunState, Stepped, Working } from './working.process.js';

/** Does the next step of a run. */
export function nextStep(working: Working, state: RunState, gate: RequestGate): Promise<Stepped> {
  switch (state.phase) {
    case 'plan':
      return plan(working, state);
    case 'segment':
      return segment(working, state);
    case 'translate':
      return translate(working, state, gate);
    case 'build':
      return build(working, state);
    case 'commit':
      return commitResult(working, state);
  }
}
