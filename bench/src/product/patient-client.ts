import { createClient, patienceMs, patientFetch, type Client } from '@scriptorium/contracts';

/** A client that waits for an installation that is busy: for what a run prepares, and does not measure or judge. */
export function patientClient(address: { endpoint: string; token: string }): Client {
  return createClient({ ...address, fetch: patientFetch(), timeoutMs: patienceMs });
}
