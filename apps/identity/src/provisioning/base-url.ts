/** Where the identity provider of an organization sends its requests. `api`: URL of the API, which ends with `/v1`. */
export function baseURL({ api }: { readonly api: string }, organization: string): string {
  return `${api.slice(0, -'/v1'.length)}/scim/v2/organizations/${organization}`;
}
