import { localBroadcast } from '../process/broadcast.js';
import { createStore } from '../store/store.js';
import { teamCount, teamList } from './team.js';

/** A replica as a process of its own, to be killed. Arguments: namespace, EventStoreDB, MongoDB. */
const [namespace = '', eventstoreUrl = '', mongoUrl = ''] = process.argv.slice(2);
const store = createStore({
  service: 'identity',
  namespace,
  eventstoreUrl,
  mongoUrl,
  broadcast: localBroadcast(),
  projections: [teamList, teamCount],
});
await store.start();
process.stdout.write('ready\n');
