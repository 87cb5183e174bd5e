// #region first-request
import { AppError, createClient } from '@scriptorium/client';

const api = createClient({
  endpoint: process.env['SCRIPTORIUM_URL'] ?? 'http://127.0.0.1:8080',
  token: process.env['SCRIPTORIUM_TOKEN'] ?? '',
});

try {
  const { items } = await api.listOrganizationsForAuthenticatedUser({ query: { limit: 10 } });
  for (const { id, title } of items) {
    const spaces = await api.listSpacesInOrganizationById({ params: { organizationId: id } });
    process.stdout.write(`${title}: ${spaces.items.map((space) => space.title).join(', ')}\n`);
  }
} catch (error) {
  if (!(error instanceof AppError)) throw error;
  process.stderr.write(`${error.reason}: ${error.message}\n`);
  process.exitCode = 1;
}
// #endregion
