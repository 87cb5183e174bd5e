/** A request to an address that a user gave. */
export interface OutboundRequest {
  readonly url: string;
  /** Where the URL stands in the request that gave it, such as `body.url`: named when it is refused. */
  readonly field: string;
  /** GET unless told. */
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Names in lower case. None of what the request is sent by, no cookies. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Types that an answer of success may have: `text/html`, `image/*`. Any unless told. */
  readonly accept?: readonly string[];
  /** Of the decoded body, and of what it is decoded from. */
  readonly maxBytes: number;
  /** For everything together, ms; 10 s unless told. */
  readonly withinMs?: number;
  /** Redirects that are followed: 5 at most, and unless told. With 0 a redirect is an answer like any other. */
  readonly redirects?: number;
  readonly signal?: AbortSignal;
}

export interface OutboundResponse {
  readonly status: number;
  /** Where it came from, behind all redirects. */
  readonly url: string;
  /** Names in lower case; without cookies. */
  readonly headers: Readonly<Record<string, string>>;
  /** Without parameters, in lower case; empty when none is given. */
  readonly contentType: string;
  readonly body: Buffer;
}
