import { describe, expect, it } from '@jest/globals';
import * as z from 'zod';
import { operation } from './operation.js';
import { paramsOf, placesOf, publicStream } from './public-streams.js';

const access = { resource: 'space', view: ['guest'], allow: ['guest'] } as const;
const base = { service: 'content', method: 'GET', summary: 'Get', tag: 'Content', access } as const;
const [space, page] = [z.object({ spaceId: z.string() }), z.object({ spaceId: z.string(), pageId: z.string() })];
const getSpace = operation({ ...base, id: 'getSpace', path: '/spaces/{spaceId}', params: space });
const getPage = operation({ ...base, id: 'getPage', path: '/spaces/{spaceId}/pages/{pageId}', params: page });

const pages = {
  service: 'content',
  entity: 'space',
  schemas: { PageMade: z.object({ page: z.string() }) },
  target: { object: 'page', idIn: 'page' },
  shownBy: getPage,
} as const;
const spaces = {
  service: 'content',
  entity: 'library',
  schemas: { SpacePurged: z.object({ space: z.string() }) },
  target: { object: 'space', idIn: 'space' },
  shownBy: getSpace,
} as const;

describe('a public stream whose target is in a space', () => {
  it('takes the space from the metadata of the event', () => {
    const stream = publicStream({ ...pages, within: { spaceId: 'space' } });
    const about = { organization: 'o', target: 'p' };
    expect(paramsOf(stream, { ...about, within: { space: 's' } })).toEqual({ spaceId: 's', pageId: 'p' });
    expect(paramsOf(stream, about)).toBeUndefined();
  });

  it('must name the path parameter for the space', () => {
    expect(() => publicStream(pages)).toThrow('getPage needs more than a target');
  });
});

describe('the places of an event', () => {
  it('are those of its metadata, and its target if that is a place', () => {
    expect(placesOf(publicStream(spaces), 's', { site: 'w' })).toEqual({ space: 's', site: 'w' });
    expect(placesOf(publicStream({ ...pages, within: { spaceId: 'space' } }), 'p', { space: 's' })).toEqual({
      space: 's',
    });
  });
});
