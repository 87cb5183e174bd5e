import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { join } from 'node:path';
import { called } from './called.js';

/**
 * Loaded before each process of the product: SIGUSR2 writes how often functions were called since the SIGUSR2 before,
 * by file. The first one begins to count.
 */
const { BENCH_ROADS_FOLDER: folder } = process.env;

if (folder !== undefined) {
  const session = new Session();
  let taken = 0;
  const take = async () => {
    if (taken === 0) {
      session.connect();
      await session.post('Profiler.enable');
      await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    }
    const { result } = await session.post('Profiler.takePreciseCoverage');
    taken += 1;
    const written = join(folder, `${process.pid}-${taken}.json`);
    writeFileSync(written, JSON.stringify(called(result)));
    writeFileSync(`${written}.done`, '');
  };
  process.on('SIGUSR2', () => void take());
}
