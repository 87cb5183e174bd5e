import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { specBounds, type Client } from '@scriptorium/contracts';
import { StopError } from '../stop-error.js';

/** The slug of the OpenAPI specification of the demo. */
export const slug = 'lighthouse';

/** The text of the specification. `repository`: the folder of the product, where the text is a source. */
export function readSpecification(repository: string): Promise<string> {
  return readFile(join(repository, 'apps/cli/src/demo/lighthouse.yaml'), 'utf8');
}

/**
 * Publishes the specification for everybody, and waits until it is read, or as long as an answer can wait.
 * @throws StopError when it could not be read
 */
export async function publishSpecification(client: Client, organizationId: string, text: string): Promise<void> {
  const params = { organizationId, specSlug: slug };
  const { lastProcessErrorCode } = await client.createOrUpdateOpenAPISpecBySlug({
    params,
    body: { source: { text } },
    waitSeconds: specBounds.waitSeconds,
  });
  if (lastProcessErrorCode !== undefined)
    throw new StopError(`the specification of the demo could not be read (${lastProcessErrorCode})`);
  await client.updateOpenAPISpecBySlug({ params, body: { visibility: 'public' } });
}
