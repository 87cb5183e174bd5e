import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Cleanup } from '../processes/cleanup.js';
import { startProduct, type Product } from '../product/product.js';
import { driveChangeRequests } from './drive/change-requests.js';
import { driveContent } from './drive/content.js';
import { driveConversations } from './drive/conversations.js';
import { driveIntegrations } from './drive/integrations.js';
import { driveLibrary } from './drive/library.js';
import { driveOpenAPI } from './drive/openapi.js';
import { driveOrganizations } from './drive/organizations.js';
import { driveSites } from './drive/sites.js';
import { driveTranslations } from './drive/translations.js';
import { compileGenerated } from './generated.js';
import { meantDifferences } from './meant.js';
import { Observer, type Report } from './observer.js';
import { readReference, type ClientVersion } from './reference.js';
import { createWorld } from './world.js';

/** What the clients found of a product. */
export interface ClientsResult {
  reports: readonly Report[];
  found: readonly string[];
}

/**
 * Drives a product by both versions of the client, each in an organization of its own. `through`: the product as the
 * clients reach it, when something stands between; `environment`: further settings of it.
 */
export async function runClients(
  cleanup: Cleanup,
  through: (product: Product) => Promise<Product> = (product) => Promise.resolve(product),
  environment: Readonly<Record<string, string>> = {},
): Promise<ClientsResult> {
  const [first, newest] = await Promise.all([observe('0.146'), observe('0.202')]);
  const page = await servePage(cleanup);
  const settings = { OUTBOUND_ALLOWED_NETWORKS: '127.0.0.0/8', ...environment };
  const product = await through(await startProduct(cleanup, settings));
  const [uncompiled, ...stopped] = await Promise.all([
    compileGenerated(cleanup, product.endpoint),
    drive(product, [first, newest], { name: 'first', page }),
    drive(product, [newest, first], { name: 'newest', page }),
  ]);
  const reports = [first, newest].map((observer) => observer.report());
  const seen = [first, newest].flatMap((observer) => observer.seen);
  const unseen = meantDifferences.filter(
    ({ is, isOfMoment = false }) => !isOfMoment && !seen.some((difference) => is.test(difference)),
  );
  return {
    reports,
    found: [
      ...stopped.flat(),
      ...uncompiled.map((one) => `generated client: ${one}`),
      ...reports.flatMap(({ version, found }) => found.map((one) => `${version}: ${one}`)),
      ...unseen.map(({ is }) => `The list of meant differences has one that there is not: ${String(is)}`),
    ],
  };
}

async function observe(version: ClientVersion): Promise<Observer> {
  return new Observer(version, await readReference(version));
}

/** Drives everything; what keeps a part of it from going on. */
async function drive(
  product: Product,
  observers: readonly Observer[],
  at: { name: string; page: string },
): Promise<string[]> {
  const world = await createWorld(product, observers, at);
  const stopped: string[] = [];
  const part = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      stopped.push(`${at.name}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    }
  };
  await part(() => driveOrganizations(world));
  await part(() => driveLibrary(world));
  await part(() => driveOpenAPI(world));
  await part(() => driveConversations(world));
  await part(() => driveTranslations(world));
  await part(async () => {
    const written = await driveContent(world);
    await part(() => driveChangeRequests(world, written));
    await part(() => driveSites(world, written));
    await part(() => driveIntegrations(world, written));
  });
  return stopped;
}

/** A page to which a link leads. */
async function servePage(cleanup: Cleanup): Promise<string> {
  const html = '<html><head><title>A page</title></head><body>Text</body></html>';
  const server = createServer((_, response) => response.setHeader('content-type', 'text/html').end(html));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  cleanup.add(() => void server.closeAllConnections());
  cleanup.add(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}
