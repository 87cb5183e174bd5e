import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseToken } from '@scriptorium/contracts';
import { describe, expect, it } from '@jest/globals';
import { tempFolders } from '../test/temp-folder.js';
import { firstRun, type FirstRunSteps } from './first-run.js';
import type { Bootstrapped } from './installation-client.js';
import { newToken, publicPart } from './new-token.js';

const folder = tempFolders();
const endpoint = 'http://127.0.0.1:8080';
const settings = {
  NATS_URL: 'nats://127.0.0.1:1',
  NAMESPACE: 'test',
  FIRST_USER_EMAIL: 'ada@example.com',
  FIRST_USER_NAME: 'Ada',
  FIRST_ORGANIZATION_TITLE: 'Engines',
};

/** An installation that accepts only the first token, as identity does. */
function fakeInstallation() {
  const asked: { token: string; email: string }[] = [];
  let accepted: string | undefined;
  const steps: FirstRunSteps = {
    newToken: () => Promise.resolve(newToken()),
    bootstrap(given, token): Promise<Bootstrapped | undefined> {
      asked.push({ token, email: given.FIRST_USER_EMAIL });
      accepted ??= token;
      return Promise.resolve(accepted === token ? { user: { id: 'u1' }, organization: { id: 'o1' } } : undefined);
    },
  };
  return { steps, asked };
}

const text = (path: string) => readFileSync(path, 'utf8');

describe('firstRun', () => {
  it('writes exactly the files that a user needs, readable by the owner only', async () => {
    const path = join(folder(), 'first-run.json');
    const { steps, asked } = fakeInstallation();
    const made = await firstRun(path, endpoint, settings, steps);
    expect(JSON.parse(text(path))).toEqual({
      endpoint,
      token: asked[0]?.token,
      user: { id: 'u1', email: 'ada@example.com' },
      organization: { id: 'o1', title: 'Engines' },
    });
    expect(made).toEqual(JSON.parse(text(path)));
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(existsSync(`${path}.pending`)).toBe(false);
  });

  it('does nothing at later starts', async () => {
    const path = join(folder(), 'first-run.json');
    const { steps, asked } = fakeInstallation();
    const made = await firstRun(path, endpoint, settings, steps);
    expect(await firstRun(path, endpoint, settings, steps)).toEqual(made);
    expect(asked).toHaveLength(1);
  });

  it('updates the address when it changes and keeps the rest', async () => {
    const path = join(folder(), 'first-run.json');
    const { steps } = fakeInstallation();
    const made = await firstRun(path, endpoint, settings, steps);
    await firstRun(path, 'http://127.0.0.1:9090', settings, steps);
    expect(JSON.parse(text(path))).toEqual({ ...made, endpoint: 'http://127.0.0.1:9090' });
  });

  it.each(['before', 'after'])(
    'continues with the same token and person after a crash %s the acceptance',
    async (when) => {
      const path = join(folder(), 'first-run.json');
      const { steps, asked } = fakeInstallation();
      const crash: FirstRunSteps = {
        ...steps,
        async bootstrap(given, token) {
          if (when === 'after') await steps.bootstrap(given, token);
          throw new Error('crash');
        },
      };
      await expect(firstRun(path, endpoint, settings, crash)).rejects.toThrow('crash');
      expect(existsSync(path)).toBe(false);
      expect(statSync(`${path}.pending`).mode & 0o777).toBe(0o600);
      const pending = JSON.parse(text(`${path}.pending`)) as { token: string };
      const made = await firstRun(path, endpoint, { ...settings, FIRST_USER_EMAIL: 'eve@example.com' }, steps);
      expect(made?.token).toBe(pending.token);
      expect(made?.user.email).toBe('ada@example.com');
      expect(new Set(asked.map(({ token }) => token)).size).toBe(1);
    },
  );

  it('keeps no token when the installation was bootstrapped from elsewhere', async () => {
    const path = join(folder(), 'first-run.json');
    const { steps } = fakeInstallation();
    await steps.bootstrap(settings, newToken());
    expect(await firstRun(path, endpoint, settings, steps)).toBeUndefined();
    expect(existsSync(path)).toBe(false);
    expect(existsSync(`${path}.pending`)).toBe(false);
  });
});

describe('newToken', () => {
  it('returns a personal token whose public part reveals nothing of its secret', () => {
    const token = newToken();
    const { id, hash } = publicPart(token);
    expect(parseToken(token)).toEqual({ kind: 'personal', id });
    expect(hash).toBe(createHash('sha256').update(token).digest('hex'));
    expect(newToken()).not.toBe(token);
    expect(() => publicPart(`${token.slice(0, -1)}!`)).toThrow(RangeError);
  });
});
