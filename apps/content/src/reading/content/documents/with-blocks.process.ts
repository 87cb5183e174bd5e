import type { RichDocument } from '@scriptorium/rich-text';
import { withIntegrations } from '../../integration-blocks/index.js';
import { withOperations } from '../operations/with-operations.process.js';
import type { ContentView } from '../view/view.queries.js';

/** The document with what its blocks show of specifications and of integrations, in `data.resolved`. */
export async function withBlocks(
  scope: Parameters<typeof withOperations>[0],
  objects: Parameters<typeof withOperations>[1] & { files: { origin: string } },
  view: Pick<ContentView, 'organization' | 'space' | 'tree' | 'also'>,
  document: RichDocument,
): Promise<RichDocument> {
  const whole = await withOperations(scope, objects, view, document);
  return withIntegrations(scope, objects.files.origin, view, whole);
}
