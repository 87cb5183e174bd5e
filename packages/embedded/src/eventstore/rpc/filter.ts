import { boundedTest } from '../../bounded-regex.js';
import { type RecordView } from '../storage/record.js';
import { type Streams } from '../wire/definitions.js';
import { invalidArgument } from '../wire/status.js';

/** Events looked at per page when the client does not say. */
const DEFAULT_WINDOW = 32;
const LONGEST_PATTERN = 1_000;

export interface Filter {
  readonly matches: (record: RecordView) => boolean;
  /** events looked at between two checkpoints */
  readonly checkpointEvery: number;
}

/** @throws RpcError for a filter that cannot be used */
export function toFilter(options: Streams.ReadReq.Options.FilterOptions): Filter {
  const multiplier = options.getCheckpointintervalmultiplier();
  if (multiplier === 0) throw invalidArgument('The checkpoint interval multiplier must be greater than zero.');
  const window = options.hasMax() ? options.getMax() : DEFAULT_WINDOW;
  if (window === 0) throw invalidArgument('The search window must be greater than zero.');
  const byStream = options.getStreamIdentifier();
  const byType = options.getEventType();
  const test = toTest(byStream ?? byType);
  const matches =
    byStream === undefined ? (record: RecordView) => test(record.type) : (record: RecordView) => test(record.stream);
  return { matches, checkpointEvery: multiplier * window };
}

function toTest(expression: Streams.ReadReq.Options.FilterOptions.Expression | undefined): (name: string) => boolean {
  if (expression === undefined) throw invalidArgument('The filter names neither streams nor event types.');
  const pattern = expression.getRegex();
  if (pattern !== '') return regexTest(pattern);
  const prefixes = expression.getPrefixList();
  return (name) => prefixes.some((prefix) => name.startsWith(prefix));
}

function regexTest(pattern: string): (name: string) => boolean {
  if (pattern.length > LONGEST_PATTERN) throw invalidArgument('The regular expression is too long.');
  try {
    return boundedTest(new RegExp(pattern, 'u'), () => invalidArgument('The regular expression takes too long.'));
  } catch {
    throw invalidArgument('The regular expression is not valid.');
  }
}
