import { describe, expect, it } from '@jest/globals';
import { visitBounds, Visit, type InsightEvent } from '@scriptorium/contracts';
import { createRegistry } from '@scriptorium/platform';
import { messagesOf, VisitAnnouncer } from './visit-announcer.process.js';
import { siteSpaceOf, toldOf, visitOf } from './visit.js';

const place = { organization: 'o', site: 's', siteSpace: undefined, space: 'a', page: 'p' };
const visit = (event: InsightEvent, shareKey?: string) => {
  const told = toldOf(event);
  return told && visitOf(event, told, place, { anonymousId: () => 'nobody', shareKey });
};

describe('what integrations are told of a visit', () => {
  it('is the page, and what is known of the visitor', () => {
    expect(visit({ type: 'page_view' })).toEqual({
      type: 'site_view',
      organization: 'o',
      site: 's',
      space: 'a',
      page: 'p',
      visitor: { anonymousId: 'nobody', cookies: {}, userAgent: '', ip: '' },
      url: '',
      referrer: '',
    });
    expect(visit({ type: 'page_feedback', rating: 'good', comment: 'Yes' })).toMatchObject({
      type: 'page_feedback',
      feedback: { rating: 'good', comment: 'Yes' },
    });
    expect(visit({ type: 'link_click' })).toBeUndefined();
  });

  it('has bounds, and nothing that lets a visitor in', () => {
    const long = 'x'.repeat(4_000);
    const cookies = { 'scriptorium-visitor-token': 'a.b.c', other: 'scr_pat_secret', a: 'b', long, more: long };
    const url = `https://docs.example/?preview=secret&a=${long}`;
    const session = { visitorId: long, userAgent: long, ip: long, language: long, referrer: long, cookies };
    const found = visit({ type: 'page_view', session, location: { url } });
    expect(Visit.safeParse(found).success).toBe(true);
    expect(found?.visitor.cookies).toEqual({ a: 'b', long });
    expect(found?.url).toHaveLength(visitBounds.url);
    expect(JSON.stringify(found)).not.toMatch(/secret|a\.b\.c/);
    expect(visit({ type: 'page_view', location: { url: 'javascript:alert(1)' } })?.url).toBe('');
  });

  it('has no key of a share link, and of other sites their origin alone', () => {
    const told = (url: string, referrer: string, shareKey?: string) => {
      const found = visit({ type: 'page_view', session: { referrer }, location: { url } }, shareKey);
      return [found?.url, found?.referrer];
    };
    const base = 'https://docs.example/~site/s';
    expect(told(`${base}/K3y/a`, `${base}/K3y/b?jwt_token=x#c`, 'K3y')).toEqual([`${base}/a`, `${base}/b`]);
    expect(told(`${base}/a`, 'https://docs.example/~site/other/K3y/b')).toEqual([`${base}/a`, 'https://docs.example/']);
    expect(told(`${base}/a`, 'https://u:p@other.example/K3y?q=1')).toEqual([`${base}/a`, 'https://other.example/']);
    expect(told(`${base}/a`, 'about:blank')).toEqual([`${base}/a`, '']);
  });

  it('has a site space of the site alone, that shows the space', () => {
    const siteSpaces = [{ id: 'one', space: 'a' }];
    const found = (event: Partial<InsightEvent>, space: string | undefined = 'a') =>
      siteSpaceOf({ type: 'page_view', ...event } as InsightEvent, { space, siteSpaces });
    expect(found({ siteSpace: 'one' })).toBe('one');
    expect(found({ location: { siteSpace: 'one' } })).toBe('one');
    expect(found({ siteSpace: 'one' }, 'b')).toBeUndefined();
    expect(found({ siteSpace: 'elsewhere' })).toBeUndefined();
    expect(found({})).toBeUndefined();
  });

  it('goes in messages that are not too large', () => {
    const one = visit({ type: 'page_view' });
    if (one === undefined) throw new Error('nothing is told');
    const large = { ...one, visitor: { ...one.visitor, cookies: { a: 'x'.repeat(100_000) } } };
    expect(messagesOf(Array.from({ length: 101 }, () => one)).map(({ length }) => length)).toEqual([50, 50, 1]);
    expect(messagesOf([large, large, large]).map(({ length }) => length)).toEqual([2, 1]);
    expect(messagesOf([])).toEqual([]);
  });

  it('is counted when too many wait', async () => {
    const registry = createRegistry();
    const announcer = new VisitAnnouncer({ registry } as ConstructorParameters<typeof VisitAnnouncer>[0]);
    const one = visit({ type: 'page_view' });
    if (one === undefined) throw new Error('nothing is told');
    announcer.add(Array.from({ length: 2_003 }, () => one));
    announcer.stop();
    expect(await registry.getSingleMetricAsString('scriptorium_visits_dropped_total')).toContain(
      '{service="sites",cause="too_many"} 3',
    );
  });
});
