import { describe, expect, it } from '@jest/globals';
import type { SiteCustomization } from '@scriptorium/contracts';
import { wholeLook } from './look.js';

const nothing = { title: 'Docs' } as SiteCustomization;

/** A look as it comes over the wire, without one of its groups. */
function without(look: object, name: string): SiteCustomization {
  return JSON.parse(JSON.stringify({ ...look, [name]: undefined })) as SiteCustomization;
}

describe('a look of which a service leaves out what it does not know', () => {
  it('has each of its groups, and each field of these', () => {
    const whole = wholeLook(nothing);
    expect(whole).toMatchObject({ title: 'Docs', embeds: { hosts: [] }, pdf: { enabled: false } });
    for (const [name, group] of Object.entries(whole).filter(([, value]) => typeof value === 'object')) {
      expect([name, wholeLook(without(whole, name))]).toEqual([name, whole]);
      for (const field of Object.keys(group as object)) {
        const told = { ...whole, [name]: { ...(group as object), [field]: undefined } };
        expect([name, field, wholeLook(without(told, ''))]).toEqual([name, field, whole]);
      }
    }
  });

  it('is as it is told otherwise', () => {
    const told = { ...wholeLook(nothing), embeds: { hosts: ['a.example'] }, pagination: { enabled: true } };
    expect(wholeLook(told)).toEqual(told);
    const more = { ...told, later: { enabled: true } } as SiteCustomization;
    expect(wholeLook(more)).toEqual(more);
  });
});
