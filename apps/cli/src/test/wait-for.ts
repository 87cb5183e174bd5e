import { setTimeout as delay } from 'node:timers/promises';

/** Waits until the condition returns something truthy. Fails after `withinMs`. */
export async function waitFor<T>(
  what: string,
  condition: () => T | Promise<T>,
  withinMs = 30_000,
): Promise<NonNullable<T>> {
  const end = performance.now() + withinMs;
  for (;;) {
    const found = await condition();
    if (found !== false && found !== null && found !== undefined) return found;
    if (performance.now() > end) throw new Error(`Waited ${withinMs} ms for ${what}`);
    await delay(10);
  }
}
