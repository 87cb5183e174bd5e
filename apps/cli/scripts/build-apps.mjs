import { buildFirst } from '../bin/build.js';

/** Before the specs: builds whatever apps there are, since they are run and none of them is a dependency. */
export default async function buildApps() {
  await buildFirst();
}
