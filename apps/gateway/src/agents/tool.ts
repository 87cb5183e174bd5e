import { AppError, type Client } from '@scriptorium/contracts';
import type { CallToolResult, McpServer } from '@modelcontextprotocol/server';
import type * as z from 'zod';

/** Tells of a failure that is not a refusal of the API. */
export type TellFailure = (error: unknown, name: string) => void;

/** Something that an agent can do. */
export interface Tool {
  /** Offers it to the agent that the server speaks with, whose calls of the API are `api`. */
  offer(server: McpServer, api: Client, tellFailure: TellFailure): void;
}

interface Definition<I extends z.ZodObject> {
  name: string;
  title: string;
  description: string;
  input: I;
  /** Whether it stores something. */
  writes: boolean;
  /** Answers text for a model: JSON, or Markdown of a page. */
  run: (api: Client, input: z.output<I>) => Promise<string>;
}

/** Builds a tool. What the API refuses is told to the model, which can do better then. */
export function tool<I extends z.ZodObject>({ name, input, writes, run, ...texts }: Definition<I>): Tool {
  const annotations = { readOnlyHint: !writes, destructiveHint: false, openWorldHint: false };
  return {
    offer(server, api, tellFailure) {
      const use = async (given: Record<string, unknown>): Promise<CallToolResult> => {
        try {
          // The server has checked it, and cannot say of which type it is.
          return answer(await run(api, input.parse(given)));
        } catch (error) {
          if (error instanceof AppError && error.reason !== 'unexpected')
            return { ...answer(refusal(error)), isError: true };
          tellFailure(error, name);
          return { ...answer('unexpected: The tool failed; try again later'), isError: true };
        }
      };
      const inputSchema: z.ZodObject = input;
      server.registerTool(name, { ...texts, inputSchema, annotations }, use);
    },
  };
}

function answer(text: string): CallToolResult {
  return { content: [{ type: 'text', text }] };
}

function refusal({ reason, message, details, retryAfter }: AppError): string {
  const fields = details.map(({ path, message: what }) => `\n${path.replace(/^(body|params|query)\./, '')}: ${what}`);
  const again = retryAfter === undefined ? '' : `\nTry again after ${Math.max(1, Math.ceil(retryAfter))} seconds.`;
  return `${reason}: ${message}${fields.join('')}${again}`;
}
