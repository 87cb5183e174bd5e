import { AppError, type AgentInstructions } from '@scriptorium/contracts';
import { forClients, SCHEMA_VERSION, toMarkdown, type RichDocument } from '@scriptorium/rich-text';
import type { Scope } from '@scriptorium/platform';
import { organizations } from '../organization-read-models/index.js';
import { agentInstructionsDocs } from './agent-instructions.projection.js';

const empty: RichDocument = { object: 'document', data: { schemaVersion: SCHEMA_VERSION }, nodes: [] };

/** The document, or undefined when nobody has written one. */
export async function findInstructions({ store }: Scope, organization: string): Promise<RichDocument | undefined> {
  const doc = await store.read(agentInstructionsDocs).byId(organization);
  return doc === null ? undefined : (JSON.parse(doc.document) as RichDocument);
}

/**
 * The instructions of an organization. As long as nobody has written any, they are empty and have the date of the
 * organization.
 */
export async function getInstructions(
  scope: Scope,
  organization: string,
  format: 'document' | 'markdown',
): Promise<AgentInstructions> {
  const { store, urls } = scope;
  const [written, organizationDoc] = await Promise.all([
    store.read(agentInstructionsDocs).byId(organization),
    store.read(organizations).byId(organization),
  ]);
  if (organizationDoc === null) throw new AppError('not_found');
  const document = written === null ? empty : (JSON.parse(written.document) as RichDocument);
  return {
    object: 'agent-instructions',
    instructions: format === 'markdown' ? { markdown: toMarkdown(document) } : forClients(document),
    updatedAt: written?.updatedAt ?? organizationDoc.createdAt,
    updatedBy: written?.updatedBy ?? organizationDoc.createdBy,
    urls: { location: `${urls.api}/orgs/${organization}/agent-instructions` },
  };
}
