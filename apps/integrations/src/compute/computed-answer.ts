import {
  AppError,
  integrationBounds,
  ScriptedDocumentAnswer,
  ScriptedRevision,
  type ComputeCallType,
} from '@scriptorium/contracts';
import type * as z from 'zod';

const forms: Readonly<Record<ComputeCallType, z.ZodType>> = {
  content_compute_revision: ScriptedRevision,
  content_compute_document: ScriptedDocumentAnswer,
};

/**
 * What a script has computed, as JSON of the right form without what is not known. Pure.
 * @throws AppError `integration_failed` that names where the answer is malformed
 */
export function computedAnswer(type: ComputeCallType, body: Uint8Array): string {
  if (body.length > integrationBounds.computedBytes)
    throw malformed(`it has more than ${integrationBounds.computedBytes} bytes`);
  const parsed = parsedAs(forms[type], jsonIn(body));
  if (parsed.success) return JSON.stringify(parsed.data);
  const [issue] = parsed.error.issues;
  throw malformed(`${issue?.path.join('.') || 'the answer'}: ${issue?.message ?? 'is not known'}`);
}

/** An answer that nests too deeply exhausts the stack of what checks it. */
function parsedAs(form: z.ZodType, json: unknown) {
  try {
    return form.safeParse(json);
  } catch (error) {
    if (error instanceof RangeError) throw malformed('it nests too deeply');
    throw error;
  }
}

function jsonIn(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf8', { fatal: true }).decode(body));
  } catch {
    throw malformed('it is no JSON');
  }
}

function malformed(why: string): AppError {
  return new AppError('integration_failed', [], { message: `The script's answer is malformed: ${why}` });
}
