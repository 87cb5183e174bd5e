import { AppError } from '@scriptorium/contracts';
import type { CallToolResult, McpServer } from '@modelcontextprotocol/server';
import type * as z from 'zod';

/** Is told of a failure that is not a refusal, with the name of the tool. */
export type TellFailure = (error: unknown, tool: string) => void;

/** Something that an agent can do with what `With` gives it, such as a client of the API. */
export interface Tool<With> {
  /** Offers it to the agent of one request. */
  offer(server: McpServer, given: With, tellFailure: TellFailure): void;
}

export interface ToolDefinition<With, Input extends z.ZodObject> {
  name: string;
  title: string;
  description: string;
  input: Input;
  /** Whether it stores something. */
  writes: boolean;
  /** Answers text for a model: JSON, or Markdown of a page. @throws AppError with what is told to the model */
  run: (given: With, input: z.output<Input>) => Promise<string>;
}

/**
 * Returns what builds the tools of an agent. A refusal (`AppError`) becomes an answer with its reason and fields, since
 * a model can do better then; any other failure is told to `tellFailure`, and the model learns nothing of its cause.
 */
export function toolsWith<With>(): <I extends z.ZodObject>(definition: ToolDefinition<With, I>) => Tool<With> {
  return ({ name, input, writes, run, ...texts }) => ({
    offer(server, given, tellFailure) {
      const annotations = { readOnlyHint: !writes, destructiveHint: false, openWorldHint: false };
      const inputSchema: z.ZodObject = input;
      server.registerTool(name, { ...texts, inputSchema, annotations }, async (asked) => {
        try {
          // The server has checked it, and cannot say of which type it is.
          return answer(await run(given, input.parse(asked)));
        } catch (error) {
          if (!(error instanceof AppError) || error.reason === 'unexpected') tellFailure(error, name);
          // What an error says that is no refusal may be of no concern to others.
          const told = error instanceof AppError ? refusal(error) : 'unexpected: The tool failed; try again later';
          return { ...answer(told), isError: true };
        }
      });
    },
  });
}

function answer(text: string): CallToolResult {
  return { content: [{ type: 'text', text }] };
}

function refusal({ reason, message, details, retryAfter }: AppError): string {
  const fields = details.map(({ path, message: what }) => `\n${path.replace(/^(body|params|query)\./, '')}: ${what}`);
  const again = retryAfter === undefined ? '' : `\nTry again after ${Math.max(1, Math.ceil(retryAfter))} seconds.`;
  return `${reason}: ${message}${fields.join('')}${again}`;
}
