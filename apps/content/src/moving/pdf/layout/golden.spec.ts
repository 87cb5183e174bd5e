import { describe, expect, it } from '@jest/globals';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { PNG } from 'pngjs';
import { layOutPages } from '../test/lay-out-pages.js';
import { differenceOf, pictureOf } from '../test/picture-of.js';

/** Texts whose words stand from right to left, with words, numbers and marks of the other direction in them. */
const texts = {
  arabic: {
    language: 'ar',
    id: 'دليل البدء',
    markdown:
      'يحتوي الدليل على 12 صفحة، ويشرح كيف تستخدم **Scriptorium** مع `npm start` (الإصدار 2.4).\n\n- العنصر الأول\n- العنصر الثاني: 50%',
  },
  hebrew: {
    language: 'he',
    id: 'מדריך התחלה',
    markdown:
      'במדריך יש 12 עמודים, והוא מסביר איך להשתמש ב־**Scriptorium** עם `npm start` (גרסה 2.4).\n\n- הפריט הראשון\n- הפריט השני: 50%',
  },
};

/** Points below the top within which the texts stand. */
const height = 135;
/** Of all pixels, most of which are paper. */
const tolerance = 0.002;

/**
 * The pictures were looked at by people. Where one is missing it is written, to be looked at again.
 */
describe('a picture of a PDF', () => {
  it.each(Object.entries(texts))(
    'of a text in %s is the one that was looked at',
    async (name, { language, ...page }) => {
      const { pdf, missing } = await layOutPages([page], { language });
      expect(missing).toEqual([]);
      const made = await pictureOf(pdf, height);
      const path = new URL(`../test/golden/${name}.png`, import.meta.url);
      if (!existsSync(path)) writeFileSync(path, PNG.sync.write(made));
      const golden = PNG.sync.read(readFileSync(path));
      expect(differenceOf(made, golden)).toBeLessThan(tolerance);
      // A sheet on which nothing is drawn would be another picture.
      expect(differenceOf(made, new PNG({ width: made.width, height, fill: true }))).toBeGreaterThan(tolerance);
    },
  );
});
