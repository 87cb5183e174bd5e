import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { specBounds, type Client } from '@scriptorium/contracts';

/** The slug of the OpenAPI specification of the demo. */
export const slug = 'lighthouse';

/** The text of the specification. `repository`: the folder of the product, where the text is a source. */
export function readSpecification(repository: string): Promise<string> {
  return readFile(join(repository, 'apps/cli/src/demo/lighthouse.yaml'), 'utf8');
}

/** Publishes the specification for everybody, and waits until it is read, or as long as an answer can wait. */
export async function publishSpecification(client: Client, organizationId: string, text: string): Promise<void> {
  const params = { organizationId, specSlug: slug };
  await client.createOrUpdateOpenAPISpecBySlug({
    params,
    body: { source: { text } },
    waitSeconds: specBounds.waitSeconds,
  });
  await client.updateOpenAPISpecBySlug({ params, body: { visibility: 'public' } });
}
