import { existsSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { services } from '@scriptorium/contracts';
import { installedServices, mainScript, settingsOf } from './apps.js';

// A service is hosted, built, developed and rebuilt by its place in these two: its folder in `apps` and the list of contracts.
describe('the services that are installed', () => {
  const names = services.map(({ name }) => name);

  it('are those of the list of contracts', () => {
    expect(installedServices()).toEqual([...names].sort());
  });

  it.each(names)('%s can be run alone, and tells its settings', async (name) => {
    expect(await settingsOf(name)).toEqual(expect.any(Object));
    expect(existsSync(mainScript(name))).toBe(true);
  });
});
