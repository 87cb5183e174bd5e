import * as z from 'zod';
import { Id, Location, Timestamp } from '../../kernel/common.js';
import { operation } from '../../kernel/operation.js';
import { DocumentFormat, Markdown, RichDocument, RichDocumentInput } from '../../kernel/rich-document.js';

export const AgentInstructions = z
  .object({
    object: z.literal('agent-instructions'),
    instructions: z
      .union([RichDocument, Markdown])
      .meta({ description: 'A document, or markdown when that is asked for.' }),
    updatedAt: Timestamp,
    updatedBy: Id,
    urls: Location,
  })
  .meta({ id: 'AgentInstructions' });
export type AgentInstructions = z.output<typeof AgentInstructions>;

/** The largest size of agent instructions, in bytes of their markdown. */
export const agentInstructionsBytes = 32 * 1024;

const base = { service: 'identity', tag: 'Organizations' } as const;
const params = z.object({ organizationId: Id });
const query = z.object({ format: DocumentFormat.default('document') });

export const getOrganizationAgentInstructions = operation({
  ...base,
  id: 'getOrganizationAgentInstructions',
  method: 'GET',
  path: '/orgs/{organizationId}/agent-instructions',
  summary: 'Get what agents are told about an organization; empty until somebody writes it',
  history: { entity: 'instructions', id: 'organizationId' },
  access: { tokens: ['personal'], resource: 'organization', view: ['guest'], allow: ['read'] },
  params,
  query,
  response: AgentInstructions,
});

export const updateOrganizationAgentInstructions = operation({
  ...base,
  id: 'updateOrganizationAgentInstructions',
  method: 'PUT',
  path: '/orgs/{organizationId}/agent-instructions',
  summary: 'Replace what agents are told about an organization, at most 32 KiB of markdown',
  access: { tokens: ['personal'], resource: 'organization', view: ['guest'], allow: ['admin'] },
  params,
  query,
  body: z.object({ instructions: RichDocumentInput }),
  response: AgentInstructions,
  bodyLimit: 512 * 1024,
});

/** Stream `identity.instructions-<organization>`: what agents are told. */
export const agentInstructionsEventSchemas = {
  /** `document`: the rich document as JSON. */
  AgentInstructionsReplaced: z.object({ document: z.string() }),
};
