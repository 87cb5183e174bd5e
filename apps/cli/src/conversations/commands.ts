import type { Command } from 'commander';
import { organization, type CommandProcess, type OrganizationOptions as Options } from '../organization-commands.js';
import { StopError } from '../stop-error.js';
import type * as commands from './conversation-commands.js';
import type { ClusterOrder } from './conversation-commands.js';
import { momentOf } from './moment.js';

const orders: readonly string[] = ['updatedAt', 'issues', 'conversations'] satisfies ClusterOrder[];

/** What a command runs with. */
interface Loaded {
  run: typeof commands;
  shared: { environment: NodeJS.ProcessEnv; write: (text: string) => void };
}

/** Commands about support conversations. */
export function conversationCommands(command: Command, { loadSettings, write }: CommandProcess): void {
  const group = command.command('conversations').description('send support conversations, and look at their clusters');
  const load = async (): Promise<Loaded> => {
    loadSettings();
    return { run: await import('./conversation-commands.js'), shared: { environment: process.env, write } };
  };
  group
    .command('ingest')
    .description('send the conversations of a file; those that were sent before are replaced')
    .argument(
      '<file>',
      'one conversation a line (.jsonl), an export of Zendesk or Intercom as JSON, or a mailbox (mbox)',
    )
    .option('--team <addresses>', 'of a mailbox: addresses or domains of your own people, with commas between them', '')
    .option('--skip <conversations>', 'go on behind as many, which were sent before', '0')
    .option(...organization)
    .action(async (file: string, { team, skip, ...options }: Options & { team: string; skip: string }) => {
      if (!/^\d{1,9}$/.test(skip)) throw new StopError('--skip must be a number of at least 0');
      const { run, shared } = await load();
      const own = team
        .toLowerCase()
        .split(/[\s,]+/)
        .map((one) => one.replace(/^@/, ''))
        .filter((one) => one !== '');
      await run.ingestCommand({ file, team: own, skip: Number(skip), now: Date.now(), ...options, ...shared });
    });
  clustersCommands(group, load);
  clusterCommands(group, load);
}

/** Commands about clusters. `clusters` alone lists them. */
function clustersCommands(group: Command, load: () => Promise<Loaded>): void {
  const clusters = group
    .command('clusters')
    .description('list clusters: id, issues, conversations, issues of the last 13 weeks, label')
    .option('--order <order>', `${orders.join(', ')}: the most or the newest first`, 'issues')
    .option('--min <issues>', 'only those with at least as many issues', '1')
    .option('--since <time>', 'count only what began since then: 30d, 12h, 4w, or a date')
    .option(...organization)
    .action(async ({ order, min, since, ...options }: Options & { order: string; min: string; since?: string }) => {
      if (!isOrder(order)) throw new StopError(`--order must be one of ${orders.join(', ')}`);
      if (!/^[1-9]\d{0,8}$/.test(min)) throw new StopError('--min must be a number of at least 1');
      const from = since === undefined ? undefined : momentOf(since, Date.now());
      const { run, shared } = await load();
      await run.clustersCommand({ order, min: Number(min), since: from, ...options, ...shared });
    });
  showCommand(clusters, load);
}

function showCommand(group: Command, load: () => Promise<Loaded>): void {
  group
    .command('show')
    .description('tell what a cluster is about, with its newest issues')
    .argument('<cluster>')
    .option(...organization)
    .action(async (cluster: string, options: Options, command: Command) => {
      // An option that stands before the cluster is one of the list, too.
      const { organization: given } = { ...command.parent?.opts<Options>(), ...options };
      const { run, shared } = await load();
      await run.showClusterCommand({ cluster, ...(given === undefined ? {} : { organization: given }), ...shared });
    });
}

/** Commands about one cluster, or one conversation. */
function clusterCommands(group: Command, load: () => Promise<Loaded>): void {
  showCommand(group, load);
  group
    .command('export')
    .description('write the issues of a cluster with their conversations, one a line as JSON')
    .argument('<cluster>')
    .option('--jsonl', 'as lines of JSON, which is the only format', true)
    .option(...organization)
    .action(async (cluster: string, { jsonl: _, ...options }: Options & { jsonl: boolean }) => {
      const { run, shared } = await load();
      await run.exportCommand({ cluster, ...options, ...shared });
    });
  group
    .command('delete')
    .description('delete a conversation with its texts and issues, for good')
    .argument('<conversation>', 'its id here')
    .option(...organization)
    .action(async (conversation: string, options: Options) => {
      const { run, shared } = await load();
      await run.deleteConversationCommand({ conversation, ...options, ...shared });
    });
}

function isOrder(order: string): order is ClusterOrder {
  return orders.includes(order);
}
