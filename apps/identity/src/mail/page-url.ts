/** The URL of a page of the gateway. `urls.api`: URL of the API including `/v1`. */
export function pageURL({ urls }: { urls: { api: string } }, path: string): string {
  return urls.api.replace(/\/v1$/, '') + path;
}
