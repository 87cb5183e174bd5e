import {
  AppError,
  cancelIntegrationInstallationReplay,
  cancelOrganizationWebhookReplay,
  getIntegrationInstallationReplay,
  getOrganizationWebhookReplay,
  invalid,
  replayedTypes,
  startIntegrationInstallationReplay,
  startOrganizationWebhookReplay,
  type DeliveryReplay,
  type InputOf,
} from '@scriptorium/contracts';
import type { RunView } from '@scriptorium/event-sourcing';
import { Controller, Handles, type Call } from '@scriptorium/platform';
import { requireInstallation } from '../installations/index.js';
import { queueOf } from '../outbox/index.js';
import { requireWebhook } from '../webhooks/index.js';
import { findReceiver } from './receiver.queries.js';
import { showReplay } from './replay.render.js';
import { cancelReplay, findReplay, startReplay } from './start-replay.process.js';

type OfWebhook = InputOf<typeof getOrganizationWebhookReplay>['params'];
type OfInstallation = InputOf<typeof getIntegrationInstallationReplay>['params'];

/** Events that are delivered again. */
@Controller()
export class ReplaysController {
  @Handles(startOrganizationWebhookReplay)
  async ofWebhook({ params, body }: InputOf<typeof startOrganizationWebhookReplay>, call: Call) {
    const { _id: id, events, createdAt: since } = await requireWebhook(call, params);
    const types = body.types ?? events;
    if (types.some((type) => !events.includes(type)))
      throw invalid('body.types', 'Must be among the `events` of the webhook');
    const receiver = await findReceiver(call.store, { kind: 'webhook', id });
    if (receiver instanceof AppError) throw receiver;
    const { from, to } = body;
    return shown(call, await startReplay(call, { receiver, since, from, to, types }), webhookPath(params));
  }

  @Handles(getOrganizationWebhookReplay)
  async getOfWebhook({ params }: InputOf<typeof getOrganizationWebhookReplay>, call: Call) {
    const { _id: id } = await requireWebhook(call, params);
    return shown(call, await findReplay(call, queueOf(id)), webhookPath(params));
  }

  @Handles(cancelOrganizationWebhookReplay)
  async cancelOfWebhook({ params }: InputOf<typeof cancelOrganizationWebhookReplay>, call: Call) {
    const { _id: id } = await requireWebhook(call, params);
    return cancelReplay(call, queueOf(id));
  }

  /** @throws AppError `conflict` while another version is present than the one that is named */
  @Handles(startIntegrationInstallationReplay)
  async ofInstallation({ params, body }: InputOf<typeof startIntegrationInstallationReplay>, call: Call) {
    const { installation, integration } = await requireInstallation(call, params);
    const { from, to, types = replayedTypes, version = integration.version } = body;
    if (version !== integration.version)
      throw new AppError('conflict', [], { message: `Version ${integration.version} of the script is present` });
    const receiver = await findReceiver(call.store, { kind: 'installation', id: installation._id });
    if (receiver instanceof AppError) throw receiver;
    const wanted = { receiver, since: installation.createdAt, from, to, types };
    return shown(call, await startReplay(call, wanted), installationPath(params));
  }

  @Handles(getIntegrationInstallationReplay)
  async getOfInstallation({ params }: InputOf<typeof getIntegrationInstallationReplay>, call: Call) {
    return shown(call, await findReplay(call, params.installationId), installationPath(params));
  }

  @Handles(cancelIntegrationInstallationReplay)
  cancelOfInstallation({ params }: InputOf<typeof cancelIntegrationInstallationReplay>, call: Call) {
    return cancelReplay(call, params.installationId);
  }
}

function webhookPath({ organizationId, webhookId }: OfWebhook): string {
  return `/orgs/${organizationId}/webhooks/${webhookId}/replay`;
}

function installationPath({ integrationName, installationId }: OfInstallation): string {
  return `/integrations/${integrationName}/installations/${installationId}/replay`;
}

/** @throws AppError `not_found` without one */
function shown(call: Call, run: RunView | null, path: string): DeliveryReplay {
  if (run === null)
    throw new AppError('not_found', [], { message: 'There is no replay, or it ended more than 7 days ago' });
  return showReplay(run, `${call.urls.api}${path}`);
}
