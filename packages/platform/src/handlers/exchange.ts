/** A received request. */
export interface WireRequest {
  operation: string;
  body: Uint8Array;
  headers: Readonly<Record<string, string>>;
  deadline: number;
}

/** The reply to a request. */
export interface WireReply {
  body: Uint8Array;
  headers?: Record<string, string>;
}
