import { explain } from '../installation/explain.js';
import { placeOf, type CommandInput } from '../openapi/place.js';
import { StopError } from '../stop-error.js';

const pageSize = 1000;

interface ExportInput extends CommandInput {
  /** The cursor of the last event that is known; from the beginning without it. */
  since?: string;
}

/**
 * `scriptorium audit export`: prints what happened in an organization, one event a line as JSON, oldest first. Each has
 * the `cursor` from which the next run goes on.
 * @throws StopError for a cursor that is none, or when the installation refuses
 */
export async function exportAuditCommand(input: ExportInput): Promise<void> {
  if (input.since !== undefined && !/^\d{1,19}$/.test(input.since))
    throw new StopError('--since must be the cursor of an event that was exported');
  const { client, organizationId } = await placeOf(input);
  let after = input.since;
  for (let more = true; more;) {
    const query = { limit: pageSize, ...(after === undefined ? {} : { after }) };
    const page = await client.exportOrganizationAuditEvents({ params: { organizationId }, query }).catch(explain);
    for (const event of page.items) input.answer(event, `${JSON.stringify(event)}\n`);
    after = page.next.page;
    more = page.more;
  }
}
