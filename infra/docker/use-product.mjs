import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { containerDefaults } from './dockerfile.mjs';

/** Uses a product that nobody has used yet, over HTTP alone, and looks at what its containers may do. */
export async function useProduct(containers, say) {
  await holdApart(containers);
  say('containers', 'cannot write into their trees');
  await assert.rejects(containers.without('NATS_URL'), /ended with 78: scriptorium: NATS_URL_FILE: ENOENT/);
  say('cli', 'ends when the file of a secret is not there');
  const token = await containers.command('bootstrap');
  const call = caller(containers.api, token);
  const { items } = await call('GET', '/orgs');
  const organization = items[0].id;
  say('cli', `made the first user, organization and token`);

  const { id: space } = await call('POST', `/orgs/${organization}/spaces`, {
    title: 'Handbook',
    editMode: 'live',
    empty: true,
  });
  const key = await upload(call, organization);
  await call('POST', `/spaces/${space}/content`, {
    changes: [
      { operation: 'insert_files', files: [{ name: 'hello.txt', upload: key, ref: 'hello' }] },
      {
        operation: 'insert_page',
        title: 'Install',
        document: { markdown: 'Run **one** command, [this](/files/hello).' },
      },
    ],
  });
  const page = await call('GET', `/spaces/${space}/content/path/install?format=markdown`);
  assert.match(page.markdown, /Run \*\*one\*\* command/);
  say('gateway', 'gave back the page that was written');

  assert.ok(page.urls.app.startsWith(`${containers.app}/`), `${page.urls.app} is not an address of the application`);
  const sent = await fetch(page.urls.app.replace(containers.app, containers.api), { redirect: 'manual' });
  assert.equal(sent.headers.get('location'), page.urls.app);
  say('gateway', 'sent somebody to the application that shows content');

  const files = await call('GET', `/spaces/${space}/content/files`);
  const answer = await fetch(files.items[0].downloadURL);
  assert.equal(await answer.text(), 'hello\n');
  say('content', 'gave back the file that was sent');
  const help = await fetch(`${containers.api}/errors/not_found`);
  assert.equal(help.status, 200);
  const site = await call('POST', `/orgs/${organization}/sites`, { title: 'Handbook', spaces: [space] });
  await call('POST', `/orgs/${organization}/sites/${site.id}/publish`);
  const shown = await fetch(`${containers.files}/~site/${site.id}/install`);
  assert.deepEqual([shown.status, shown.headers.get('content-type')], [200, 'text/html; charset=utf-8']);
  assert.match(await shown.text(), /<strong>one<\/strong>/);
  say('reader', 'shows the page on a published site');
  await runScript(containers.runtime);
  say('runtime', 'runs a script');
  return { call, organization, space, site: site.id };
}

/** Has a script run, as the service of integrations does. */
async function runScript({ RUNTIME_URL: url, RUNTIME_KEY: key }) {
  const script = 'export default { fetch: () => new Response("hello") };';
  const hash = createHash('sha256').update(script).digest('hex');
  const authorization = `Bearer ${key}`;
  const put = await fetch(`${url}/scripts/${hash}`, { method: 'PUT', body: script, headers: { authorization } });
  assert.equal(put.status, 204);
  const body = new FormData();
  for (const name of ['event', 'environment']) body.set(name, '{}');
  const headers = {
    authorization,
    'scriptorium-integration': 'smoke',
    'scriptorium-version': '1',
    'scriptorium-deadline': '20000',
    'scriptorium-repeat': 'never',
  };
  const answer = await fetch(`${url}/run/${hash}`, { method: 'POST', body, headers });
  assert.match(await answer.text(), /^\{"status":200,.*\nhello$/);
}

async function upload(call, organization) {
  const body = { file: { name: 'hello.txt', type: 'text/plain', size: 6 }, kind: 'space_file' };
  const { url, key, headers } = await call('POST', `/orgs/${organization}/storage/upload`, body);
  const answer = await fetch(url, { method: 'PUT', body: 'hello\n', headers: headers ?? {} });
  assert.ok(answer.ok, `the upload was answered ${answer.status}`);
  return key;
}

/** Each container runs as the user of its image, and finds its tree read-only and no shell in it. */
async function holdApart({ all }) {
  const script = `
    const fs = require('node:fs');
    const tried = (work) => { try { work(); return 'done'; } catch (error) { return error.code; } };
    console.log(JSON.stringify({
      user: process.getuid() + ':' + process.getgid(),
      groups: process.getgroups().length,
      tree: tried(() => fs.writeFileSync('/app/x', '')),
      etc: tried(() => fs.writeFileSync('/etc/passwd', '')),
      data: tried(() => fs.writeFileSync('/data/x', '')),
      temporary: tried(() => fs.writeFileSync('/tmp/x', '')),
      shell: fs.existsSync('/bin/sh'),
    }));`;
  const { entry, user } = containerDefaults();
  for (const container of all) {
    const found = JSON.parse(await container.output([entry[0], '-e', script]));
    assert.deepEqual(found, {
      user,
      groups: found.groups,
      tree: 'EROFS',
      etc: 'EROFS',
      data: 'done',
      temporary: 'done',
      shell: false,
    });
  }
}

function caller(api, token) {
  return async (method, path, body) => {
    const answer = await fetch(`${api}/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    assert.ok(answer.ok, `${method} ${path} was answered ${answer.status}: ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  };
}
