import { rm } from 'node:fs/promises';
import * as z from 'zod';
import { jsonText, readJson, writePrivate } from '../installation/private-file.js';
import type { BootstrapSettings } from '../settings.js';
import type { Bootstrapped } from './installation-client.js';

const FirstRun = z.object({
  endpoint: z.string(),
  token: z.string(),
  user: z.object({ id: z.string(), email: z.string() }),
  organization: z.object({ id: z.string(), title: z.string() }),
});

/** What the first start leaves for its user: `first-run.json`. */
export type FirstRun = z.output<typeof FirstRun>;

/** A first start that has not ended: its token and what it asked for, so that the next start asks for the same. */
const Pending = z.object({
  token: z.string(),
  user: z.object({ email: z.string(), displayName: z.string() }),
  organization: z.object({ title: z.string() }),
});

export interface FirstRunSteps {
  newToken(): Promise<string>;
  /** Creates user, organization and token; undefined when others were created before. */
  bootstrap(settings: BootstrapSettings, token: string): Promise<Bootstrapped | undefined>;
}

/**
 * Sees to the first user, organization and token. The token is on disk before anybody is asked to accept it, so a
 * crash at any point is taken up by the next start; `path` exists only when all of it is done.
 * @returns what is kept in `path`; undefined when the installation was bootstrapped from somewhere else.
 */
export async function firstRun(
  path: string,
  endpoint: string,
  settings: BootstrapSettings,
  steps: FirstRunSteps,
): Promise<FirstRun | undefined> {
  const pendingPath = `${path}.pending`;
  const done = await readJson(path);
  if (done !== undefined) {
    await rm(pendingPath, { force: true });
    return atAddress(path, endpoint, FirstRun.parse(done));
  }
  const { token, user, organization } = await pendingRun(pendingPath, settings, steps);
  const created = await steps.bootstrap(
    {
      ...settings,
      FIRST_USER_EMAIL: user.email,
      FIRST_USER_NAME: user.displayName,
      FIRST_ORGANIZATION_TITLE: organization.title,
    },
    token,
  );
  if (created === undefined) {
    await rm(pendingPath, { force: true });
    return undefined;
  }
  const result: FirstRun = {
    endpoint,
    token,
    user: { id: created.user.id, email: user.email },
    organization: { id: created.organization.id, title: organization.title },
  };
  await writePrivate(path, jsonText(result));
  await rm(pendingPath, { force: true });
  return result;
}

/** The first run that an earlier start began, or a new one. */
async function pendingRun(
  path: string,
  settings: BootstrapSettings,
  steps: FirstRunSteps,
): Promise<z.output<typeof Pending>> {
  const begun = await readJson(path);
  if (begun !== undefined) return Pending.parse(begun);
  const made = {
    token: await steps.newToken(),
    user: { email: settings.FIRST_USER_EMAIL, displayName: settings.FIRST_USER_NAME },
    organization: { title: settings.FIRST_ORGANIZATION_TITLE },
  };
  await writePrivate(path, jsonText(made));
  return made;
}

/** The address may change between starts, all else stays. */
async function atAddress(path: string, endpoint: string, kept: FirstRun): Promise<FirstRun> {
  if (kept.endpoint === endpoint) return kept;
  const moved = { ...kept, endpoint };
  await writePrivate(path, jsonText(moved));
  return moved;
}
