/** A request as it comes over the wire. */
export interface WireRequest {
  operation: string;
  body: Uint8Array;
  headers: Readonly<Record<string, string>>;
  deadline: number;
}

/** What goes back. */
export interface WireReply {
  body: Uint8Array;
  headers?: Record<string, string>;
}
