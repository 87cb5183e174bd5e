import { setTimeout as delay } from 'node:timers/promises';

const longestWaitMs = 30_000;

/**
 * Begins work at a fixed rate, whether what began before has ended or not. Each piece is told when it was due, so that
 * a delay counts as what it is. Resolves when all has ended, or 30 s after the last began.
 */
export async function openLoop(
  ratePerSecond: number,
  seconds: number,
  work: (index: number, due: number) => Promise<void>,
): Promise<void> {
  const began = performance.now();
  const total = Math.floor(ratePerSecond * seconds);
  const running = new Set<Promise<void>>();
  for (let index = 0; index < total;) {
    const due = began + (1000 * index) / ratePerSecond;
    if (due > performance.now()) {
      await delay(1);
      continue;
    }
    const piece = work(index, due).finally(() => running.delete(piece));
    running.add(piece);
    index += 1;
  }
  await Promise.race([Promise.all(running), delay(longestWaitMs)]);
}
