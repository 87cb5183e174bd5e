import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  answersOf,
  compressLz,
  createSpaceCallers,
  eventually,
  operationsOf,
  readAuthorizationTable,
  spaceCallers,
  type SpaceCallers,
} from '@scriptorium/testing';
import { publication } from '../test/integration-rig.js';
import { startRig, type Rig } from '../test/rig.js';

/*
 * Who may do what, written from the contract documents, not from the code. The integration is private. `granted` and
 * `teamed` are guests of its organization: the one has the level `read` on the space, a team of the other has `create`.
 * They have no grant on the site. The operator is no member. No script runs, so events wait to be delivered, and who
 * may render is told so.
 */
const table = `
  operation                              anonymous stranger removed operator guest granted teamed read comment edit review create admin
  listIntegrations                       401       200      200     200      200   200     200    200  200     200  200    200    200
  getIntegrationByName                   401       404      404     404      200   200     200    200  200     200  200    200    200
  publishIntegration                     401       404      404     404      403   403     403    403  403     403  403    403    200
  unpublishIntegration                   401       204      204     204      403   403     403    403  403     403  403    403    205
  listIntegrationInstallations           401       404      404     404      403   403     403    403  403     403  403    403    200
  listIntegrationSpaceInstallations      401       404      404     404      403   403     403    403  403     403  403    403    200
  listIntegrationSiteInstallations       401       404      404     404      403   403     403    403  403     403  403    403    200
  installIntegration                     401       404      404     404      403   403     403    403  403     403  403    201    201
  getIntegrationInstallationById         401       404      404     404      403   403     403    403  403     403  403    200    200
  updateIntegrationInstallation          401       404      404     404      403   403     403    403  403     403  403    200    200
  uninstallIntegration                   401       204      204     204      403   403     403    403  403     403  403    403    205
  pauseIntegrationInstallation           401       404      404     204      403   403     403    403  403     403  403    403    403
  resumeIntegrationInstallation          401       404      404     204      403   403     403    403  403     403  403    403    204
  rotateInstallationSigning              401       404      404     404      403   403     403    403  403     403  403    403    204
  rotateIntegrationSigning               401       404      404     404      403   403     403    403  403     403  403    403    204
  createInstallationToken                401       403      403     403      403   403     403    403  403     403  403    403    403
  listOrganizationIntegrations           401       404      404     404      403   403     403    200  200     200  200    200    200
  listOrganizationInstallations          401       404      404     404      403   403     403    403  403     403  403    200    200
  listOrganizationIntegrationsStatus     401       404      404     404      403   403     403    403  403     403  403    200    200
  getOrganizationIntegrationStatus       401       404      404     404      403   403     403    403  403     403  403    200    200
  listIntegrationInstallationSpaces      401       404      404     404      403   403     403    403  403     403  403    200    200
  installIntegrationOnSpace              401       404      404     404      404   403     200    403  403     403  403    200    200
  getIntegrationSpaceInstallation        401       404      404     404      404   403     200    403  403     403  403    200    200
  updateIntegrationSpaceInstallation     401       404      404     404      404   403     200    403  403     403  403    200    200
  uninstallIntegrationFromSpace          401       204      204     204      204   403     205    403  403     403  403    205    205
  listIntegrationInstallationSites       401       404      404     404      403   403     403    403  403     403  403    200    200
  installIntegrationOnSite               401       404      404     404      404   404     404    403  403     403  403    200    200
  getIntegrationSiteInstallation         401       404      404     404      404   404     404    403  403     403  403    200    200
  updateIntegrationSiteInstallation      401       404      404     404      404   404     404    403  403     403  403    200    200
  uninstallIntegrationFromSite           401       204      204     204      204   204     204    403  403     403  403    205    205
  beginIntegrationInstallationCallback   401       404      404     404      403   403     403    403  403     403  403    200    200
  beginIntegrationSpaceInstallationCallback 401    404      404     404      404   403     200    403  403     403  403    200    200
  beginIntegrationSiteInstallationCallback 401     404      404     404      404   404     404    403  403     403  403    200    200
  getIntegrationDevelopmentMode          401       404      404     404      403   403     403    403  403     403  403    403    200
  setIntegrationDevelopmentMode          401       404      404     404      403   403     403    403  403     403  403    403    204
  disableIntegrationDevelopmentMode      401       204      204     204      403   403     403    403  403     403  403    403    205
  listIntegrationEvents                  401       404      404     404      403   403     403    403  403     403  403    403    200
  getIntegrationEvent                    401       404      404     404      403   403     403    403  403     403  403    403    200
  listIntegrationInstallationEvents      401       404      404     404      403   403     403    403  403     403  403    403    200
  redeliverIntegrationEvent              401       404      404     409      403   403     403    403  403     403  403    403    409
  renderIntegrationUIWithGet             401       404      404     404      404   503     503    503  503     503  503    503    503
  renderIntegrationUIWithPost            401       404      404     404      404   503     503    503  503     503  503    503    503
  listConfigurationCompletions           401       404      404     404      403   403     403    403  403     403  403    404    404
  queueIntegrationTask                   401       403      403     403      403   403     403    403  403     403  403    403    403
  listOrganizationWebhooks               401       404      404     404      403   403     403    403  403     403  403    403    200
  createOrganizationWebhook              401       404      404     404      403   403     403    403  403     403  403    403    201
  getOrganizationWebhook                 401       404      404     404      403   403     403    403  403     403  403    403    200
  updateOrganizationWebhook              401       404      404     404      403   403     403    403  403     403  403    403    200
  rotateOrganizationWebhookSecret        401       404      404     404      403   403     403    403  403     403  403    403    200
  testOrganizationWebhook                401       404      404     404      403   403     403    403  403     403  403    403    200
  listOrganizationWebhookDeliveries      401       404      404     404      403   403     403    403  403     403  403    403    200
  redeliverOrganizationWebhookDelivery   401       404      404     404      403   403     403    403  403     403  403    403    404
  getOrganizationWebhookReplay           401       404      404     404      403   403     403    403  403     403  403    403    404
  startOrganizationWebhookReplay         401       404      404     404      403   403     403    403  403     403  403    403    400
  cancelOrganizationWebhookReplay        401       204      204     204      403   403     403    403  403     403  403    403    204
  getIntegrationInstallationReplay       401       404      404     404      403   403     403    403  403     403  403    403    404
  startIntegrationInstallationReplay     401       404      404     400      403   403     403    403  403     403  403    403    400
  cancelIntegrationInstallationReplay    401       204      204     204      403   403     403    403  403     403  403    403    204
  deleteOrganizationWebhook              401       204      204     204      403   403     403    403  403     403  403    403    204
  listFailedDeliveries                   401       403      403     200      403   403     403    403  403     403  403    403    403
  listIntegrationsConsumers              401       403      403     200      403   403     403    403  403     403  403    403    403
  listIntegrationsParkedEvents           401       403      403     200      403   403     403    403  403     403  403    403    403
  retryIntegrationsParkedEvent           401       403      403     404      403   403     403    403  403     403  403    403    403
  rebuildIntegrationsProjection          401       403      403     200      403   403     403    403  403     403  403    403    403
  listIntegrationsTimers                 401       403      403     200      403   403     403    403  403     403  403    403    403
  listIntegrationsRuns                   401       403      403     200      403   403     403    403  403     403  403    403    403
  cancelIntegrationsRun                  401       403      403     404      403   403     403    403  403     403  403    403    403
`;

const rows = readAuthorizationTable(table, spaceCallers);

type Request = readonly [method: string, path: string, body?: object];
/** What each caller asks for. */
interface Paths {
  organization: string;
  integration: string;
  installation: string;
  space: string;
  site: string;
  /** One that is not installed. */
  other: string;
  /** One that has an event. */
  delivered: { integration: string; installation: string; event: string };
  webhook: string;
}

/** Longer than events are kept, which is told to whom may know it. */
const longAgo = { from: '2020-01-01T00:00:00Z' };
/** Nobody answers there. */
const newWebhook = { url: 'https://receiver.invalid/hook', events: ['space_added'] };

const declared = { properties: { login: { type: 'button', callback_url: '/login', button_text: 'Log in' } } };
const withButton = (organization: string) =>
  publication(organization, { configurations: { account: declared, space: declared, site: declared } });

const operator = '/operator/integrations';
/** A block of a space. */
const rendered = (spaceId: string): object => ({
  componentId: 'x',
  props: {},
  context: { type: 'document', theme: 'light', spaceId, editable: false },
});
const requests: Record<string, (paths: Paths) => Request> = {
  listIntegrations: () => ['GET', '/integrations'],
  getIntegrationByName: ({ integration }) => ['GET', integration],
  publishIntegration: ({ integration, organization }) => ['POST', integration, withButton(organization)],
  unpublishIntegration: ({ other }) => ['DELETE', other],
  listIntegrationInstallations: ({ integration }) => ['GET', `${integration}/installations`],
  listIntegrationSpaceInstallations: ({ integration }) => ['GET', `${integration}/spaces`],
  listIntegrationSiteInstallations: ({ integration }) => ['GET', `${integration}/sites`],
  installIntegration: ({ other, organization }) => ['POST', `${other}/installations`, { organization }],
  getIntegrationInstallationById: ({ installation }) => ['GET', installation],
  updateIntegrationInstallation: ({ installation }) => ['PATCH', installation, {}],
  uninstallIntegration: ({ installation }) => ['DELETE', installation],
  pauseIntegrationInstallation: ({ installation }) => ['POST', `${installation}/pause`],
  resumeIntegrationInstallation: ({ installation }) => ['POST', `${installation}/resume`],
  rotateInstallationSigning: ({ installation }) => ['POST', `${installation}/signing/rotate`],
  rotateIntegrationSigning: ({ integration }) => ['POST', `${integration}/signing/rotate`],
  createInstallationToken: ({ installation }) => ['POST', `${installation}/tokens`],
  listOrganizationIntegrations: ({ organization }) => ['GET', `/orgs/${organization}/integrations`],
  listOrganizationInstallations: ({ organization }) => ['GET', `/orgs/${organization}/installations`],
  listOrganizationIntegrationsStatus: ({ organization }) => [
    'GET',
    `/orgs/${organization}/integrations/installations-status`,
  ],
  getOrganizationIntegrationStatus: ({ organization, integration }) => [
    'GET',
    `/orgs/${organization}${integration}/installation_status`,
  ],
  listIntegrationInstallationSpaces: ({ installation }) => ['GET', `${installation}/spaces`],
  installIntegrationOnSpace: ({ installation, space }) => ['POST', `${installation}/spaces`, { space }],
  getIntegrationSpaceInstallation: ({ installation, space }) => ['GET', `${installation}/spaces/${space}`],
  updateIntegrationSpaceInstallation: ({ installation, space }) => ['PATCH', `${installation}/spaces/${space}`, {}],
  uninstallIntegrationFromSpace: ({ installation, space }) => ['DELETE', `${installation}/spaces/${space}`],
  listIntegrationInstallationSites: ({ installation }) => ['GET', `${installation}/sites`],
  installIntegrationOnSite: ({ installation, site }) => ['POST', `${installation}/sites`, { siteId: site }],
  getIntegrationSiteInstallation: ({ installation, site }) => ['GET', `${installation}/sites/${site}`],
  updateIntegrationSiteInstallation: ({ installation, site }) => ['PATCH', `${installation}/sites/${site}`, {}],
  uninstallIntegrationFromSite: ({ installation, site }) => ['DELETE', `${installation}/sites/${site}`],
  beginIntegrationInstallationCallback: ({ installation }) => ['POST', `${installation}/callbacks/login`],
  beginIntegrationSpaceInstallationCallback: ({ installation, space }) => [
    'POST',
    `${installation}/spaces/${space}/callbacks/login`,
  ],
  beginIntegrationSiteInstallationCallback: ({ installation, site }) => [
    'POST',
    `${installation}/sites/${site}/callbacks/login`,
  ],
  getIntegrationDevelopmentMode: ({ integration }) => ['GET', `${integration}/dev`],
  setIntegrationDevelopmentMode: ({ integration }) => [
    'PUT',
    `${integration}/dev`,
    { tunnelUrl: 'https://tunnel.example.com' },
  ],
  disableIntegrationDevelopmentMode: ({ integration }) => ['DELETE', `${integration}/dev`],
  listIntegrationEvents: ({ delivered }) => ['GET', `${delivered.integration}/events`],
  getIntegrationEvent: ({ delivered }) => ['GET', `${delivered.integration}/events/${delivered.event}`],
  listIntegrationInstallationEvents: ({ delivered }) => ['GET', `${delivered.installation}/events`],
  redeliverIntegrationEvent: ({ delivered }) => [
    'POST',
    `${delivered.integration}/events/${delivered.event}/redeliver`,
  ],
  renderIntegrationUIWithGet: ({ integration, space }) => [
    'GET',
    `${integration}/render?request=${encodeURIComponent(compressLz(JSON.stringify(rendered(space))))}`,
  ],
  renderIntegrationUIWithPost: ({ integration, space }) => ['POST', `${integration}/render`, rendered(space)],
  listConfigurationCompletions: ({ installation }) => ['GET', `${installation}/completions?property=none`],
  queueIntegrationTask: ({ integration }) => ['POST', `${integration}/tasks`, { task: {} }],
  listOrganizationWebhooks: ({ organization }) => ['GET', `/orgs/${organization}/webhooks`],
  createOrganizationWebhook: ({ organization }) => ['POST', `/orgs/${organization}/webhooks`, newWebhook],
  getOrganizationWebhook: ({ webhook }) => ['GET', webhook],
  updateOrganizationWebhook: ({ webhook }) => ['PATCH', webhook, {}],
  rotateOrganizationWebhookSecret: ({ webhook }) => ['POST', `${webhook}/rotate`],
  testOrganizationWebhook: ({ webhook }) => ['POST', `${webhook}/test`],
  listOrganizationWebhookDeliveries: ({ webhook }) => ['GET', `${webhook}/deliveries`],
  redeliverOrganizationWebhookDelivery: ({ webhook }) => ['POST', `${webhook}/deliveries/unknown/redeliver`],
  getOrganizationWebhookReplay: ({ webhook }) => ['GET', `${webhook}/replay`],
  startOrganizationWebhookReplay: ({ webhook }) => ['POST', `${webhook}/replay`, longAgo],
  cancelOrganizationWebhookReplay: ({ webhook }) => ['DELETE', `${webhook}/replay`],
  getIntegrationInstallationReplay: ({ installation }) => ['GET', `${installation}/replay`],
  startIntegrationInstallationReplay: ({ installation }) => ['POST', `${installation}/replay`, longAgo],
  cancelIntegrationInstallationReplay: ({ installation }) => ['DELETE', `${installation}/replay`],
  deleteOrganizationWebhook: ({ organization }) => ['DELETE', `/orgs/${organization}/webhooks/unknown`],
  listFailedDeliveries: () => ['GET', `${operator}/failed-deliveries`],
  listIntegrationsConsumers: () => ['GET', `${operator}/consumers`],
  listIntegrationsParkedEvents: () => ['GET', `${operator}/parked-events`],
  retryIntegrationsParkedEvent: () => ['POST', `${operator}/parked-events/x/retry`],
  rebuildIntegrationsProjection: () => ['POST', `${operator}/projections/integration_v1/rebuild`],
  listIntegrationsTimers: () => ['GET', `${operator}/timers`],
  listIntegrationsRuns: () => ['GET', `${operator}/runs`],
  cancelIntegrationsRun: () => ['POST', `${operator}/runs/x/cancel`],
};
/** Operations after which the next caller needs everything as it was. */
const consuming = /^(unpublish|install|uninstall)/;

describe('authorization', () => {
  let rig: Rig;
  let callers: SpaceCallers;
  let space: string;
  let site: string;
  let paths: Paths;

  const made = async (path: string, body: object = {}, status = 201): Promise<string> => {
    const answer = await rig.send('POST', path, { body });
    if (answer.status !== status) throw new Error(`${path} answered ${answer.status} ${JSON.stringify(answer.body)}`);
    return String(answer.body['id']);
  };
  const published = async (): Promise<string> => {
    const path = `/integrations/a-${randomUUID()}`;
    await made(path, withButton(rig.organization), 200);
    return path;
  };
  const newPaths = async (): Promise<Omit<Paths, 'delivered' | 'webhook'>> => {
    const { organization } = rig;
    const [integration, other] = [await published(), await published()];
    const installation = `${integration}/installations/${await made(`${integration}/installations`, { organization })}`;
    await made(`${installation}/spaces`, { space });
    await made(`${installation}/sites`, { siteId: site });
    return { organization, integration, other, installation, space, site };
  };

  beforeAll(async () => {
    rig = await startRig({ alone: true, variables: { MAX_INTEGRATIONS_PER_ORGANIZATION: '1000' } });
    const org = `/orgs/${rig.organization}`;
    [space, site] = [await made(`${org}/spaces`, { title: 'A', empty: true }), await made(`${org}/sites`)];
    callers = await createSpaceCallers(rig);
    const grants = `/spaces/${space}/permissions`;
    await rig.send('POST', grants, { body: { role: 'read', users: [callers.granted] } });
    await rig.send('POST', grants, { body: { role: 'create', teams: [callers.team] } });
    const installed = await newPaths();
    const found: string[] = [];
    await eventually(async () => {
      const { body } = await rig.send('GET', `${installed.integration}/events`);
      found.push(...body.items.map(({ id }) => String(id)));
      return found.length > 0;
    });
    const { integration, installation } = installed;
    const webhook = `${org}/webhooks/${await made(`${org}/webhooks`, newWebhook)}`;
    paths = { ...(await newPaths()), delivered: { integration, installation, event: String(found[0]) }, webhook };
  }, 120_000);
  afterAll(() => rig.stop());

  const statusFor = async (operation: string, token: string | null): Promise<number> => {
    const [method = '', path = '', body] = requests[operation]?.(paths) ?? [];
    const { status } = await rig.send(method, path, { token, ...(body === undefined ? {} : { body }) });
    if (status >= 200 && status < 300 && status !== 204 && consuming.test(operation))
      paths = { ...paths, ...(await newPaths()) };
    return status;
  };

  it('has a row for every operation', () => {
    expect(rows.map(({ operation }) => operation).sort()).toEqual(operationsOf('integrations'));
  });

  it.each(rows)(
    'of $operation',
    async (row) => {
      const answered = await answersOf(row, (caller) => statusFor(row.operation, callers.tokens[caller]));
      expect(answered).toEqual(row.expected);
    },
    60_000,
  );
});
