import { allowedSince, findInstalled, type ServiceAccess } from '@scriptorium/access';
import type { IntegrationScope } from '@scriptorium/contracts';
import { signingSecret, type Scope } from '@scriptorium/platform';

const loginScope: IntegrationScope = 'site:visitor:auth';

/** How long the key before the present one is good for, ms. */
const overlapMs = 24 * 3_600_000;

/** Which site, and which installation signs in its visitors. */
export interface SignedIn {
  organization: string;
  site: string;
  installation: string;
}

/**
 * The keys with which an installation signs the tokens of the visitors of a site, the present one first; none when it
 * is not installed there any more, or may not sign visitors in. No message has them: they are made of the keys of this
 * installation of the product.
 * @throws AppError `unavailable` while it is not known what installations reach
 */
export async function integrationKeys(
  { store, keys, now }: Pick<Scope, 'store' | 'keys' | 'now'>,
  access: Pick<ServiceAccess, 'requireInstallations'>,
  { organization, site, installation }: SignedIn,
): Promise<string[]> {
  await access.requireInstallations();
  const found = await findInstalled(store, installation);
  const need = { scope: loginScope, target: { kind: 'site', id: site } } as const;
  if (found?.reach.organization !== organization || allowedSince(found, need) === null) return [];
  const { generation, since } = found.reach.signing;
  const isPreviousGood = since !== null && now() < Date.parse(since) + overlapMs;
  const generations = isPreviousGood ? [generation, generation - 1] : [generation];
  return generations.map((one) => signingSecret(keys, { owner: installation, target: site, generation: one }));
}
