/** The base URLs in answers. */
export interface Urls {
  /** URL of the API including `/v1`. */
  api: string;
  app: string;
}
