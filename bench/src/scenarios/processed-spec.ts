import { setTimeout as pause } from 'node:timers/promises';
import type { Seed } from '../product/seed.js';

const lookEveryMs = 100;

/** Gives a source to a specification, and waits until it is read. */
export async function processed(
  { client, organization }: Seed,
  slug: string,
  source: { text: string } | { url: string },
): Promise<void> {
  const params = { organizationId: organization, specSlug: slug };
  await client.createOrUpdateOpenAPISpecBySlug({ params, body: { source } });
  for (;;) {
    const { processingState, lastProcessErrorCode } = await client.getOpenAPISpecBySlug({ params });
    if (lastProcessErrorCode !== undefined) throw new Error(`${slug} could not be read: ${lastProcessErrorCode}`);
    if (processingState === 'complete') return;
    await pause(lookEveryMs);
  }
}
