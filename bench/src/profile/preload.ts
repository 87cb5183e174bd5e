import { writeFile } from 'node:fs/promises';
import { Session } from 'node:inspector/promises';
import { join } from 'node:path';

/**
 * Loaded before a process of the product when a profile is asked for: SIGUSR2 begins one, the next SIGUSR2 writes it.
 * So a profile holds what ran under load, and neither start nor end of the process.
 */
const { BENCH_PROFILE_SCRIPT: script, BENCH_PROFILE_FOLDER: folder } = process.env;

if (script !== undefined && folder !== undefined && process.argv[1]?.endsWith(script) === true) {
  const session = new Session();
  session.connect();
  let taken = 0;
  let running = false;
  const toggle = async () => {
    if (running) {
      running = false;
      const { profile } = await session.post('Profiler.stop');
      taken += 1;
      await writeFile(join(folder, `${taken}.cpuprofile`), JSON.stringify(profile));
      await writeFile(join(folder, `${taken}.done`), '');
      return;
    }
    running = true;
    await session.post('Profiler.enable');
    await session.post('Profiler.start');
  };
  process.on('SIGUSR2', () => void toggle());
}
