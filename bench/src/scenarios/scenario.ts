import type { Cleanup } from '../processes/cleanup.js';
import type { Product } from '../product/product.js';
import type { Seed } from '../product/seed.js';
import type { Profiler } from '../profile/profiler.js';
import type { ReferenceChain } from '../reference/chain.js';

/** One line of the report. */
export interface Figure {
  scenario: string;
  what: string;
  value: number;
  unit: string;
  /** The goal in words; absent for what is shown besides. */
  goal?: string;
  /** Absent where there is no goal, or nothing to compare with. */
  met?: boolean;
  note?: string;
}

export interface Options {
  /** Length of each run under load. */
  seconds: number;
  rounds: number;
  connections: number;
  /** Events in the large log. */
  events: number;
  /** Pages of the import. */
  pages: number;
  /** A specification to read instead of a generated one: the path of a JSON file. */
  document?: string | undefined;
  /** The folder of labelled messages. */
  messages?: string | undefined;
}

/** What scenarios share: everything is started when the first of them asks for it. */
export interface Context {
  options: Options;
  cleanup: Cleanup;
  say: (text: string) => void;
  product(): Promise<{ product: Product; seed: Seed }>;
  reference(): Promise<ReferenceChain>;
  /** Takes a CPU profile of one of the product's processes while something runs; absent unless asked for. */
  profiler?: Profiler;
}

export interface Scenario {
  name: string;
  summary: string;
  run(context: Context): Promise<Figure[]>;
}
