/** The source of what users send. */
export const apiSource = 'api';

/** The source of what an installation of an integration sends. */
export function integrationSource(name: string, installation: string): string {
  return `integration:${name}:${installation}`;
}
