import { defineRun } from '@scriptorium/event-sourcing';
import * as z from 'zod';

/** Reads an OpenAPI specification, and makes a version of it. URLs and texts stand in `op_spec_texts`. */
export const specProcessing = defineRun({
  kind: 'openapi_processing',
  input: z.object({ spec: z.string() }),
  state: z.object({}),
  begin: () => ({}),
  cancellable: false,
  // One for each specification that an organization can have at the highest limit.
  openAtMost: 10_000,
  // To fetch documents 30 s, to compile them a minute.
  stepWithinMs: 100_000,
});

/** One run for each time that reading is requested. */
export function runOf(spec: string, request: number): string {
  return `openapi-${spec}-${request}`;
}
