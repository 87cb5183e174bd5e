/** Waits until a condition holds, looking every 10 ms. Throws when it does not after `ms`. */
export async function eventually(condition: () => Promise<boolean> | boolean, ms = 45_000): Promise<void> {
  const until = performance.now() + ms;
  while (!(await condition())) {
    if (performance.now() > until) throw new Error('the condition did not come true in time');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
