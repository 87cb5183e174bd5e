/** Options of a command about what belongs to an organization. */
export interface OrganizationOptions {
  organization?: string;
}

/** The option that names the organization. */
export const organization = [
  '--organization <id>',
  'the organization; the only one of the token unless given',
] as const;
