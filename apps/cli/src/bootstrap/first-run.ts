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

/** The content of `first-run.json`, which the first start writes for its user. */
export type FirstRun = z.output<typeof FirstRun>;

/** The token and names of a first start that has not finished, so that the next start repeats its request. */
const Pending = z.object({
  token: z.string(),
  user: z.object({ email: z.string(), displayName: z.string() }),
  organization: z.object({ title: z.string() }),
});

export interface FirstRunSteps {
  newToken(): Promise<string>;
  /** Creates user, organization and token. Undefined when they were created with another token before. */
  bootstrap(settings: BootstrapSettings, token: string): Promise<Bootstrapped | undefined>;
}

/**
 * Creates the first user, organization and token. The token is written to a file before it is sent, so after a crash at
 * any point the next start continues. `path` exists only when everything is done.
 * @returns the content of `path`; undefined when the installation was bootstrapped elsewhere
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
    return withAddress(path, endpoint, FirstRun.parse(done));
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

/** The unfinished first run of an earlier start, or a new one. */
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

/** Updates the address, which can change between starts. */
async function withAddress(path: string, endpoint: string, kept: FirstRun): Promise<FirstRun> {
  if (kept.endpoint === endpoint) return kept;
  const moved = { ...kept, endpoint };
  await writePrivate(path, jsonText(moved));
  return moved;
}
