import { AppError, blaming } from '@scriptorium/contracts';
import type { Call } from '@scriptorium/platform';
import { proofNameOf, proofOf, requireActive, site, siteHostnames } from '../model/index.js';
import type { HostnameRecords } from './hostname-records.process.js';
import { verifyHostname } from './settings.js';

/** What is left of the deadline for recording the outcome, or for saying that nobody answers. */
const marginMs = 2_000;

/**
 * Verifies the hostname of a site by its DNS record. From then on it belongs to the site alone.
 * @throws AppError `not_found` for a site without one, `conflict` while there is no such record, `already_exists` when
 * another site has it, `bad_gateway`
 */
export async function verify(call: Call, records: HostnameRecords, id: string): Promise<void> {
  const { store } = call;
  const { hostname, isHostnameVerified } = requireActive(await store.load(site, id));
  if (hostname === null) throw new AppError('not_found', [], { message: 'The site has no hostname of its own' });
  if (isHostnameVerified) return;
  const name = proofNameOf(hostname);
  const withinMs = Math.max(1, call.deadline - call.now() - marginMs);
  if (!(await records.has(name, proofOf(call, id, hostname), withinMs)))
    throw new AppError('conflict', [], {
      message: `There is no TXT record of ${name} with the value of hostnameProof`,
    });
  const append = () => store.within({ site: id }).handle(site, id, (state) => verifyHostname(state, hostname));
  try {
    await store.reserve(siteHostnames, { value: hostname, owner: id }, append);
  } catch (error) {
    if (error instanceof AppError && error.reason === 'already_exists')
      throw blaming('already_exists', 'hostname', 'Another site has it');
    throw error;
  }
}
