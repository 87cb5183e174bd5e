import { create as createCollaboration } from '@scriptorium/collaboration';
import { settings as collaborationSettings } from '@scriptorium/collaboration/settings';
import { create as createContent } from '@scriptorium/content';
import { settings as contentSettings } from '@scriptorium/content/settings';
import { StorageSignedUrl } from '@scriptorium/contracts';
import { createGateway, createRecentWrites } from '@scriptorium/gateway';
import { create as createIdentity } from '@scriptorium/identity';
import { settings as identitySettings } from '@scriptorium/identity/settings';
import { createWorkerPool } from '@scriptorium/platform/workers';
import { create as createSites } from '@scriptorium/sites';
import { settings as sitesSettings } from '@scriptorium/sites/settings';
import type { Answer } from '@scriptorium/testing';
import { openStore } from '@scriptorium/testing/store';
import { asOneClient, startOwnRig, type OwnRig as Rig } from '@scriptorium/testing/own-rig';
import { startReader } from '../start-reader.js';

/** The gateway, four services and the reader over the three servers; sites are looked at as visitors do. */
export interface ReaderRig {
  rig: Rig;
  /** Where files and sites are served. */
  origin: string;
  /**
   * Where the reader shows a site on a host of its own. The read model gets the host: to verify it needs a server of
   * names.
   */
  onOwnHost(site: { id: string }): Promise<string>;
  /** Sends a request as the owner. @throws for an answer that is no success */
  make(method: string, path: string, body?: object): Promise<Answer>;
  /** Creates a space that is written live, with these changes of its content; its id, and the ids of what was named. */
  space(title: string, changes: object[]): Promise<{ id: string; refs: Record<string, string> }>;
  /** Uploads a file; the key that `insert_files` refers to. */
  upload(name: string, type: string, bytes: Buffer): Promise<string>;
  /** Creates and publishes a site; its path in the API, and where it is shown. */
  publish(body: object): Promise<{ path: string; id: string; address: string }>;
  /** Opens an address as a browser does, without following redirects. */
  open(address: string, headers?: Record<string, string>): Promise<Opened>;
  /** How often the reader has asked what an address leads to. */
  resolved(): number;
  stop(): Promise<void>;
}

export interface Opened {
  status: number;
  text: string;
  headers: Headers;
}

/** `seen`: what the reader gets in the place of an answer of the API. */
export async function startReaderRig(
  variables: Record<string, string> = {},
  seen: (url: string, answer: Response) => Response | Promise<Response> = (_url, answer) => answer,
): Promise<ReaderRig> {
  const workers = createWorkerPool();
  let origin = '';
  let resolved = 0;
  let port = '';
  const rig = await startOwnRig({
    services: [
      // Sites are published where they are shown, as on one machine.
      {
        name: 'sites',
        create: (config, process) => {
          const { CONTENT_ORIGIN: SITES_ORIGIN } = config as typeof config & { CONTENT_ORIGIN: string };
          return createSites({ ...config, SITES_ORIGIN } as typeof config, process);
        },
        settings: { ...sitesSettings, CONTENT_ORIGIN: sitesSettings.SITES_ORIGIN },
      },
      { name: 'content', create: createContent, settings: contentSettings },
      { name: 'collaboration', create: createCollaboration, settings: collaborationSettings },
      { name: 'identity', create: createIdentity, settings: identitySettings },
    ],
    variables: { RATE_LIMIT_ANONYMOUS: '0', RATE_LIMIT_SEARCH: '0', RATE_LIMIT_PDF: '0', ...variables },
    async startGateway(defaults) {
      origin = defaults.files.origin;
      let api = '';
      const reader = await startReader(
        {
          host: '127.0.0.1',
          port: 0,
          apiUrl: 'http://api.example',
          appOrigin: new URL(defaults.publicUrl).origin,
          contentOrigin: origin,
          timeoutMs: 20_000,
          mostAtOnce: 100,
        },
        // The gateway has to know the reader, and the reader the gateway: one of them is told later.
        {
          workers,
          logError: () => undefined,
          send: async (given, init) => {
            const url = given as string;
            if (url.endsWith('/urls/published')) resolved += 1;
            return seen(url, await fetch(url.replace('http://api.example', api), init));
          },
        },
      );
      port = new URL(reader.address).port;
      const gateway = await createGateway(
        { ...defaults, files: { ...defaults.files, readerUrl: reader.address } },
        { recentWrites: asOneClient(createRecentWrites()) },
      );
      api = gateway.address;
      return {
        address: gateway.address,
        async stop() {
          await gateway.stop();
          await reader.stop();
          await workers.stop();
        },
      };
    },
  });
  const make: ReaderRig['make'] = async (method, path, body) => {
    const answer = await rig.send(method, path, body === undefined ? {} : { body });
    if (answer.status >= 300)
      throw new Error(`${method} ${path} answered ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer;
  };
  const org = `/orgs/${rig.organization}`;
  return {
    rig,
    origin,
    async onOwnHost({ id }) {
      const hostname = `${id.toLowerCase().replace(/[^a-z0-9]/g, '')}.localhost`;
      const store = openStore(rig.config, 'sites');
      try {
        const sites = store.database.collection<{ _id: string }>('site_v3');
        await sites.updateOne({ _id: id }, { $set: { hostname, isHostnameVerified: true } });
      } finally {
        await store.stop();
      }
      return `http://${hostname}:${port}/`;
    },
    resolved: () => resolved,
    make,
    async space(title, changes) {
      const id = String((await make('POST', `${org}/spaces`, { title, empty: true })).body['id']);
      await make('PATCH', `/spaces/${id}`, { editMode: 'live' });
      const made = await make('POST', `/spaces/${id}/content`, { changes });
      return { id, refs: made.body['refs'] as Record<string, string> };
    },
    async upload(name, type, bytes) {
      const file = { name, type, size: bytes.length };
      const begun = await make('POST', `${org}/storage/upload`, { file, kind: 'space_file' });
      const { url, key } = StorageSignedUrl.parse(begun.body);
      const { ok } = await fetch(url, { method: 'PUT', body: new Uint8Array(bytes) });
      if (!ok) throw new Error(`${name} could not be uploaded`);
      return key;
    },
    async publish(body) {
      const id = String((await make('POST', `${org}/sites`, body)).body['id']);
      await make('POST', `${org}/sites/${id}/publish`);
      return { id, path: `${org}/sites/${id}`, address: `${origin}/~site/${id}/` };
    },
    async open(address, headers = {}) {
      const answer = await fetch(address, { redirect: 'manual', headers });
      return { status: answer.status, text: await answer.text(), headers: answer.headers };
    },
    stop: () => rig.stop(),
  };
}
