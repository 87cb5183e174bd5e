/** The address of a page of the gateway, which serves pages beside the API. `urls.api`: address of the API including `/v1`. */
export function pageURL({ urls }: { urls: { api: string } }, path: string): string {
  return urls.api.replace(/\/v1$/, '') + path;
}
