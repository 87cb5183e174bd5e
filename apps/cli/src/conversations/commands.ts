import type { Command } from 'commander';
import { contextOf, type CommandContext } from '../command-line/context.js';
import { askingCommand } from '../command-line/define.js';
import { momentOf } from '../command-line/moment.js';
import { organization, type OrganizationOptions as Options } from '../command-line/organization.js';
import { StopError } from '../stop-error.js';
import type * as commands from './conversation-commands.js';
import type { ClusterOrder } from './conversation-commands.js';

const orders: readonly string[] = ['updatedAt', 'issues', 'conversations'] satisfies ClusterOrder[];

/** What a command runs with. */
interface Loaded {
  run: typeof commands;
  shared: CommandContext;
}

async function load(command: Command): Promise<Loaded> {
  return { run: await import('./conversation-commands.js'), shared: contextOf(command) };
}

/** Commands about support conversations. */
export function conversationCommands(program: Command): void {
  const group = program.command('conversations').description('send support conversations, and look at their clusters');
  askingCommand(group, 'ingest', 'scriptorium conversations ingest tickets.jsonl')
    .description('send the conversations of a file; those that were sent before are replaced')
    .argument(
      '<file>',
      'one conversation a line (.jsonl), an export of Zendesk or Intercom as JSON, or a mailbox (mbox)',
    )
    .option('--team <addresses>', 'of a mailbox: addresses or domains of your own people, with commas between them', '')
    .option('--skip <conversations>', 'go on behind as many, which were sent before', '0')
    .option(...organization)
    .action(
      async (file: string, { team, skip, ...options }: Options & { team: string; skip: string }, command: Command) => {
        if (!/^\d{1,9}$/.test(skip)) throw new StopError('--skip must be a number of at least 0');
        const { run, shared } = await load(command);
        const own = team
          .toLowerCase()
          .split(/[\s,]+/)
          .map((one) => one.replace(/^@/, ''))
          .filter((one) => one !== '');
        await run.ingestCommand({ file, team: own, skip: Number(skip), now: Date.now(), ...options, ...shared });
      },
    );
  clustersCommands(group);
  clusterCommands(group);
}

/** Commands about clusters. `clusters` alone lists them. */
function clustersCommands(group: Command): void {
  const clusters = askingCommand(group, 'clusters', 'scriptorium conversations clusters --since 30d')
    .description('list clusters: id, issues, conversations, issues of the last 13 weeks, label')
    .option('--order <order>', `${orders.join(', ')}: the most or the newest first`, 'issues')
    .option('--min <issues>', 'only those with at least as many issues', '1')
    .option('--since <time>', 'count only what began since then: 30d, 12h, 4w, or a date')
    .option(...organization)
    .action(
      async (
        { order, min, since, ...options }: Options & { order: string; min: string; since?: string },
        command: Command,
      ) => {
        if (!isOrder(order)) throw new StopError(`--order must be one of ${orders.join(', ')}`);
        if (!/^[1-9]\d{0,8}$/.test(min)) throw new StopError('--min must be a number of at least 1');
        const from =
          since === undefined
            ? undefined
            : momentOf({ option: '--since', text: since, now: Date.now(), direction: 'back' });
        const { run, shared } = await load(command);
        await run.clustersCommand({ order, min: Number(min), since: from, ...options, ...shared });
      },
    );
  showCommand(clusters);
}

function showCommand(group: Command): void {
  askingCommand(group, 'show', 'scriptorium conversations show <cluster>')
    .description('tell what a cluster is about, with its newest issues')
    .argument('<cluster>')
    .option(...organization)
    .action(async (cluster: string, options: Options, command: Command) => {
      // An option that stands before the cluster is one of the list, too.
      const { organization: given } = { ...command.parent?.opts<Options>(), ...options };
      const { run, shared } = await load(command);
      await run.showClusterCommand({ cluster, ...(given === undefined ? {} : { organization: given }), ...shared });
    });
}

/** Commands about one cluster, or one conversation. */
function clusterCommands(group: Command): void {
  showCommand(group);
  askingCommand(group, 'export', 'scriptorium conversations export <cluster> > issues.jsonl')
    .description('write the issues of a cluster with their conversations, one a line as JSON')
    .argument('<cluster>')
    .option('--jsonl', 'as lines of JSON, which is the only format', true)
    .option(...organization)
    .action(async (cluster: string, { jsonl: _, ...options }: Options & { jsonl: boolean }, command: Command) => {
      const { run, shared } = await load(command);
      await run.exportCommand({ cluster, ...options, ...shared });
    });
  askingCommand(group, 'delete', 'scriptorium conversations delete <conversation>')
    .description('delete a conversation with its texts and issues, for good')
    .argument('<conversation>', 'its id here')
    .option(...organization)
    .action(async (conversation: string, options: Options, command: Command) => {
      const { run, shared } = await load(command);
      await run.deleteConversationCommand({ conversation, ...options, ...shared });
    });
}

function isOrder(order: string): order is ClusterOrder {
  return orders.includes(order);
}
