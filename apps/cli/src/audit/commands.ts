import type { Command } from 'commander';
import { contextOf } from '../command-line/context.js';
import { askingCommand } from '../command-line/define.js';
import { organization, type OrganizationOptions } from '../command-line/organization.js';

/** Commands about who has done what. */
export function auditCommands(program: Command): void {
  const group = program.command('audit').description('who has done what in an organization');
  askingCommand(group, 'export', 'scriptorium audit export >> audit.ndjson', 'scriptorium audit export --since 81234')
    .description('print audit events, one a line as JSON, oldest first')
    .option('--since <cursor>', 'go on behind the event with this cursor; from the beginning unless given')
    .option(...organization)
    .action(async (options: OrganizationOptions & { since?: string }, command: Command) => {
      const { exportAuditCommand } = await import('./export-audit-command.js');
      await exportAuditCommand({ ...options, ...contextOf(command) });
    });
}
