import { localBroadcast } from '../process/broadcast.js';
import { createStore } from '../store/store.js';
import { markingHandler } from './run.js';

/**
 * A replica as a process of its own that works on runs, to be killed: from outside, or by itself at a point of its way.
 * Arguments: namespace, EventStoreDB, MongoDB, and `<point>:<how many times it passes there>`; points are `before` and
 * `after` the command of a step, and `recorded`, when its stream has the end of a run and nothing else knows it.
 */
const [namespace = '', eventstoreUrl = '', mongoUrl = '', killAt = ''] = process.argv.slice(2);
const [point = '', times = '1'] = killAt.split(':');
let left = Number(times);

function passing(at: string): void {
  if (at !== point) return;
  left -= 1;
  if (left <= 0) process.kill(process.pid, 'SIGKILL');
}

const store = createStore({
  service: 'identity',
  namespace,
  eventstoreUrl,
  mongoUrl,
  broadcast: localBroadcast(),
  metrics: { runEnded: () => passing('recorded') },
  runs: [markingHandler({ before: () => passing('before'), after: () => passing('after') })],
});
await store.start();
process.stdout.write('ready\n');
