/** What commands need of the process. */
export interface CommandProcess {
  loadSettings: () => void;
  write: (text: string) => void;
}

/** Options of a command about what belongs to an organization. */
export interface OrganizationOptions {
  organization?: string;
}

/** The option that names the organization. */
export const organization = [
  '--organization <id>',
  'the organization; the only one of the token unless given',
] as const;
