import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { get, startRig, type Person, type Rig } from '../test/rig.js';

describe('agent instructions', () => {
  let rig: Rig;
  let path: string;
  let reader: Person;
  beforeAll(async () => {
    rig = await startRig();
    path = `/orgs/${rig.organization}/agent-instructions`;
    reader = await rig.member('Rea Der', 'read');
  }, 60_000);
  afterAll(() => rig.stop());

  const put = (instructions: unknown) => rig.send('PUT', path, { body: { instructions } });

  it('are empty until somebody writes them', async () => {
    const { body: organization } = await rig.send('GET', `/orgs/${rig.organization}`);
    const { status, body } = await rig.send('GET', path, { token: reader.token });
    expect([status, body]).toEqual([
      200,
      {
        object: 'agent-instructions',
        instructions: { object: 'document', data: { schemaVersion: 10 }, nodes: [] },
        updatedAt: organization['createdAt'],
        updatedBy: rig.owner.id,
        urls: { location: `https://docs.example/v1${path}` },
      },
    ]);
  });

  it('can be written as markdown and read as markdown or as a document', async () => {
    const admin = await rig.member('Ad Min', 'admin');
    const written = await rig.send('PUT', path, {
      token: admin.token,
      body: { instructions: { markdown: '# Tone\n\nBe **kind**.' } },
    });
    expect(written.body).toMatchObject({
      updatedBy: admin.id,
      instructions: { object: 'document', nodes: [{ type: 'heading-1' }, { type: 'paragraph' }] },
    });
    expect((await rig.send('GET', path)).body).toEqual(written.body);
    const asMarkdown = await rig.send('GET', `${path}?format=markdown`);
    expect(asMarkdown.body).toMatchObject({ instructions: { markdown: '# Tone\n\nBe **kind**.\n' } });
    expect((await rig.send('GET', `${path}?format=pdf`)).status).toBe(400);
  });

  it('can be written as a document, wrapped or bare, and keep their date when the content is the same', async () => {
    const { body: before } = await rig.send('GET', path);
    expect((await put({ document: before['instructions'] })).body).toEqual(before);
    expect((await put(before['instructions'])).body).toEqual(before);
    const unknown = {
      object: 'block',
      type: 'of-tomorrow',
      key: 'k1',
      isVoid: true,
      data: { any: { $thing: 1, 'a.b': [[2]] } },
    };
    const kept = await put({ object: 'document', nodes: [unknown] });
    expect(kept.body).toMatchObject({ instructions: { nodes: [unknown] } });
    expect((await put({ markdown: '' })).body).toMatchObject({ instructions: { object: 'document' } });
  });

  it('refuse what is not a document, what is too large, and callers who are not admins', async () => {
    const refusal = async (instructions: unknown) => {
      const { status, body } = await put(instructions);
      return [status, body.error.reason, String(get(body, 'error.details.0.path')).split('.').slice(0, 2).join('.')];
    };
    const refused = [400, 'invalid_request', 'body.instructions'];
    expect(await refusal(undefined)).toEqual(refused);
    expect(await refusal('text')).toEqual(refused);
    expect(await refusal({ object: 'page' })).toEqual(refused);
    expect(await refusal({ document: { object: 'document', nodes: [{ object: 'nonsense' }] } })).toEqual(refused);
    expect(await refusal({ markdown: 'word '.repeat(7_000) })).toEqual(refused);
    expect((await put({ markdown: 'x'.repeat(600_000) })).status).toBe(413);
    expect(
      (await rig.send('PUT', path, { token: reader.token, body: { instructions: { markdown: 'x' } } })).status,
    ).toBe(403);
  });
});
