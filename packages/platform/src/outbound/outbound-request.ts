/** A request to an address that a user gave. */
export interface OutboundRequest {
  readonly url: string;
  /** The field of the request that contains the URL, such as `body.url`. A refusal names it. */
  readonly field: string;
  /** By default GET. */
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Names in lower case. Headers that the client sets itself, and cookies, are not allowed. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** The content types that a successful answer may have: `text/html`, `image/*`. By default any. */
  readonly accept?: readonly string[];
  /** The largest size of the body, before and after decoding. */
  readonly maxBytes: number;
  /** Whether a body that is larger is cut off after `maxBytes`. By default it is refused. */
  readonly cuts?: boolean;
  /** The time for everything together, in ms. By default 10 s. */
  readonly withinMs?: number;
  /** How many redirects are followed; 5 at most and by default. With 0 a redirect is returned as an answer. */
  readonly redirects?: number;
  readonly signal?: AbortSignal;
}

export interface OutboundResponse extends OutboundHead {
  readonly body: Buffer;
}

/** An answer without its body. */
export interface OutboundHead {
  readonly status: number;
  /** The URL of the answer, after all redirects. */
  readonly url: string;
  /** Names in lower case; without cookies. */
  readonly headers: Readonly<Record<string, string>>;
  /** The content type without parameters, in lower case; empty when there is none. */
  readonly contentType: string;
}
