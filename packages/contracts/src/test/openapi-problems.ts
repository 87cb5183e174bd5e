import { parse, validate } from '@readme/openapi-parser';

/** A document as the parser takes it: one that is generated is checked here, not by its type. */
type Parsed = Extract<Parameters<typeof parse>[0], object>;

/** What makes a generated document invalid OpenAPI 3.1; empty if it is valid. */
export async function openApiProblems(document: Record<string, unknown>): Promise<readonly { message: string }[]> {
  const report = await validate(await parse(structuredClone(document) as Parsed));
  return report.valid ? [] : report.errors;
}
