import Sequencer from '@jest/test-sequencer';

const kinds = ['.e2e.spec.ts', '.int.spec.ts', '.spec.ts'];

/** Runs the specs of several processes first, then those over servers: a long one that begins last would run alone. */
export default class LongestFirst extends Sequencer {
  /** Orders specs by kind, and within a kind as Jest does: by how long they took before, or by size. */
  sort(tests) {
    const kindOf = ({ path }) => kinds.findIndex((end) => path.endsWith(end));
    return super.sort(tests).sort((a, b) => kindOf(a) - kindOf(b));
  }
}
