import { describe, expect, it } from '@jest/globals';
import { given } from '@scriptorium/event-sourcing/testing';
import { toMarkdown } from '@scriptorium/rich-text';
import { agentInstructions, replaceInstructions } from './agent-instructions.js';
import type { AgentInstructionsEvent } from './agent-instructions.events.js';
import { readInstructions } from './read-instructions.js';

describe('agent instructions', () => {
  it('produce no event when the new document is the same but for the order of its properties', () => {
    const document = '{"object":"document","nodes":[]}';
    const replaced: AgentInstructionsEvent = { type: 'AgentInstructionsReplaced', data: { document } };
    given(agentInstructions, [])
      .when((state) => replaceInstructions(state, { document }))
      .then([replaced]);
    given(agentInstructions, [replaced])
      .when((state) => replaceInstructions(state, { document: '{"nodes":[],"object":"document"}' }))
      .then([]);
  });

  it('can be read from markdown, from a bare document and from a wrapped one', () => {
    const document = readInstructions({ markdown: '# Tone\n\nBe kind.' });
    expect(readInstructions({ document })).toEqual(document);
    expect(readInstructions(document)).toEqual(document);
    expect(toMarkdown(document)).toBe('# Tone\n\nBe kind.\n');
  });

  it('keep the keys of blocks that stay when they are replaced', () => {
    const before = readInstructions({ markdown: 'First things first.\n\nThen the rest of it.' });
    const after = readInstructions({ markdown: 'Then all the rest of it.' }, before);
    expect(after.nodes[0]?.key).toBe(before.nodes[1]?.key);
  });

  it('are limited by their length as markdown, whichever form they are given in', () => {
    const refused = expect.objectContaining({ reason: 'invalid_request' });
    const words = (bytes: number) => 'ab '.repeat(bytes / 3).trimEnd();
    expect(() => readInstructions({ markdown: words(32_700) })).not.toThrow();
    expect(() => readInstructions({ markdown: 'ü'.repeat(16_385) })).toThrow(refused);
    const paragraph = (text: string) => ({
      object: 'document' as const,
      nodes: [
        {
          object: 'block',
          type: 'paragraph',
          isVoid: false,
          data: {},
          nodes: [{ object: 'text', leaves: [{ object: 'leaf', text, marks: [] }] }],
        },
      ],
    });
    expect(() => readInstructions(paragraph(words(32_700)))).not.toThrow();
    expect(() => readInstructions({ document: paragraph(words(33_000)) })).toThrow(refused);
    expect(() => readInstructions({ object: 'document', nodes: [{ object: 'nonsense' }] })).toThrow(refused);
  });
});
