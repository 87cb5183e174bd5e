import { openToInstallations } from '../../kernel/integration-access.js';
import { contentBounds } from '../bounds.js';
import { ContentChangesResult } from './content-changes-result.js';

/** What every operation that changes pages, files, reusable contents or variables has. */
export const changesContent = {
  service: 'content',
  tag: 'Content',
  method: 'POST',
  access: openToInstallations(
    { scope: 'space:write', resource: 'space', view: ['read'], allow: ['edit'] },
    'space:content:write',
  ),
  response: ContentChangesResult,
  reasons: ['content_change_invalid', 'limit_reached', 'space_read_only', 'bad_gateway'],
  rate: 'content-write',
  batch: `\`changes\` takes ${contentBounds.changes} changes in one request`,
  bodyLimit: contentBounds.changesBytes,
  // Fifty long pages take that long to be read where there are few processors.
  largeBodyDeadlineMs: 60_000,
} as const;
