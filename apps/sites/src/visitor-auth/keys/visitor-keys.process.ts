import { newId, type Call, type Scope } from '@scriptorium/platform';
import { publishingAuth, rotateKey, type PublishingAuthState } from '../publishing-auth.js';
import { addSecret, dropSecretsBefore, findSecret } from './secrets.operational.js';

/** A key has 40 letters and digits: 238 bits. */
function newKey(): string {
  return `${newId()}${newId()}`;
}

/**
 * The key that signs tokens of the visitors of a site. The first one is made when it is first needed. `undefined` for
 * one that was lost, with a database that was not restored as a whole: then the site needs another one.
 */
export async function visitorKey(
  scope: Pick<Scope, 'database' | 'keys'>,
  site: string,
  version: number,
): Promise<string | undefined> {
  const name = { site, version };
  const found = await findSecret(scope, name);
  if (found !== undefined || version > 0) return found;
  await addSecret(scope, name, newKey());
  return findSecret(scope, name);
}

/** The keys that are good now, the present one first. */
export async function goodKeys(
  scope: Pick<Scope, 'database' | 'keys' | 'now'>,
  site: string,
  { version, previous }: Pick<PublishingAuthState, 'version' | 'previous'>,
): Promise<string[]> {
  const versions = [version];
  if (previous !== null && scope.now() < Date.parse(previous.until)) versions.push(previous.version);
  const found = await Promise.all(versions.map((one) => visitorKey(scope, site, one)));
  return found.filter((key) => key !== undefined);
}

/** Replaces the key of a site. It is stored before the event that names it. */
export async function rotateVisitorKey(
  call: Call,
  site: string,
  { keepsPrevious }: { keepsPrevious: boolean },
): Promise<void> {
  const { version: from } = await call.store.load(publishingAuth, site);
  // The one before it may be in use for a day, so it has to be there.
  await visitorKey(call, site, from);
  await addSecret(call, { site, version: from + 1 }, newKey());
  const secret = `${site}:${from + 1}`;
  // A repeated command records nothing, and `from` is then its own key: what may go follows from what holds now.
  const { state } = await call.store
    .within({ site })
    .handle(publishingAuth, site, (before) => rotateKey(before, { secret, from, keepsPrevious }));
  await dropSecretsBefore(call, { site, version: state.previous?.version ?? state.version });
}
