import { sendOnce, type Target } from '../load/one-at-a-time.js';

/** Sends small requests one after the other until it is ended; how long each took, in ms. */
export function lookMeanwhile(target: Target, path: string): { end(): Promise<number[]> } {
  let isOver = false;
  const times: number[] = [];
  const looking = (async () => {
    while (!isOver) {
      const began = performance.now();
      await sendOnce(target, { method: 'GET', path });
      times.push(performance.now() - began);
    }
  })();
  return {
    async end() {
      isOver = true;
      await looking;
      return times;
    },
  };
}
