/** Bases of the addresses in answers. */
export interface Urls {
  /** Address of the API including `/v1`. */
  api: string;
  app: string;
}
