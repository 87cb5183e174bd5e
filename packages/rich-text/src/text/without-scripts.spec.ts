import { describe, expect, it } from '@jest/globals';
import { withoutScripts } from './without-scripts.js';

describe('a text without scripts', () => {
  it.each([
    ['<p>It fails</p><script>alert(1)</script><style>p{color:red}</style>', '<p>It fails</p>  '],
    ['a<SCRIPT src="x">\n\n1 < 2\n\n</SCRIPT >b', 'a b'],
    ['<style>a</style><script>"</style>"</script>c', '  c'],
    ['<script>`</script>a `<script>x</script>`', ' a `<script>x</script>`'],
  ])('of %j is %j', (text, read) => expect(withoutScripts(text)).toBe(read));

  it.each([
    'The <script> tag is refused',
    'text\n\n```html\n<script>x</script>\n```\n',
    '~~~\n<style>x</style>\n~~~',
    'see `<script>x</script>`',
    '<scripts>x</scripts>',
    'a </script> b',
  ])('is %j where it has none', (text) => expect(withoutScripts(text)).toBe(text));

  it.each(['<script>', '<script ', '</script', '`', '<style></style>', '``a`', '</script x'])(
    'reads 1 MiB of %j',
    (unit) => {
      const before = process.cpuUsage().user;
      withoutScripts(unit.repeat(1_048_576 / unit.length));
      expect(process.cpuUsage().user - before).toBeLessThan(2_000_000);
    },
  );
});
