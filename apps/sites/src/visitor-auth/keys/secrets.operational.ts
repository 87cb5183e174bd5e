import { sealedTexts, type Scope } from '@scriptorium/platform';

type Within = Pick<Scope, 'database' | 'keys'>;

const secrets = sealedTexts({ collection: 'op_secrets', owner: 'site' });

export const secretIndexes = secrets.indexes;

/** Which secret: of which site, and its version. */
export interface SecretName {
  site: string;
  version: number;
}

/**
 * Stores the secret of a version, unless there is one. It cannot be told apart from another one without the keys of the
 * installation.
 */
export function addSecret(scope: Within, { site: owner, version }: SecretName, text: string): Promise<void> {
  return secrets.add(scope, { owner, version }, text);
}

/** The secret of a version; `undefined` when there is none. */
export function findSecret(scope: Within, { site: owner, version }: SecretName): Promise<string | undefined> {
  return secrets.find(scope, { owner, version });
}

/** Removes what is too old to be of use: all before a version. */
export async function dropSecretsBefore(
  scope: Pick<Scope, 'database'>,
  { site: owner, version }: SecretName,
): Promise<void> {
  const old = (await secrets.versions(scope, { owner })).map(Number).filter((one) => one < version);
  await secrets.drop(
    scope,
    old.map((one) => ({ owner, version: one })),
  );
}

/** Removes all secrets of a site. */
export function dropSecrets(scope: Pick<Scope, 'database'>, site: string): Promise<void> {
  return secrets.dropAll(scope, { owner: site });
}
