import { existsSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { services } from '@scriptorium/contracts';
import { installedServices, mainScript, settingsOf } from './apps.js';

// A service is known by two things only: its folder in `apps` and the list of contracts.
describe('the installed services', () => {
  const names = services.map(({ name }) => name);

  it('are those of the list in contracts', () => {
    expect(installedServices()).toEqual([...names].sort());
  });

  it.each(names)('include %s, which can run alone and describes its settings', async (name) => {
    expect(await settingsOf(name)).toEqual(expect.any(Object));
    expect(existsSync(mainScript(name))).toBe(true);
  });
});
