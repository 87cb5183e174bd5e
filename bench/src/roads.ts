import { runWithCleanup } from './processes/run-with-cleanup.js';
import { findRoads } from './roads/roads.js';

/** Prints the files that each of six kinds of requests runs through: `npm run roads`. */
const isDone = await runWithCleanup(async (cleanup) => {
  for (const [name, files] of Object.entries(await findRoads(cleanup))) {
    process.stdout.write(`${name}: ${files.length} files\n`);
    for (const file of files) process.stdout.write(`  ${file}\n`);
  }
  return true;
});
process.exit(isDone ? 0 : 1);
