import { describe, expect, it } from '@jest/globals';
import { withoutHTML } from './readable.task.js';

describe('a part with HTML', () => {
  it('is shown without scripts and styles', () => {
    const body = '<p>It fails</p><script>alert(1)</script><style>p{color:red}</style>';
    expect(withoutHTML([body, 'plain', '<STYLE type="text/css">\n.a {}\n\n.b {}\n</STYLE>\n<p>Why?</p>'])).toEqual([
      'It fails\n',
      'plain',
      'Why?\n',
    ]);
  });

  it('keeps scripts that it shows as code', () => {
    expect(withoutHTML(['Use `<script>x()</script>`'])).toEqual(['Use `<script>x()</script>`\n']);
  });

  it('is shown as text where more elements are open than anybody writes', () => {
    expect(withoutHTML(['<b>'.repeat(21_000), '<p>It <b>fails</b></p>'])).toEqual([
      '&lt;b>'.repeat(21_000),
      'It **fails**\n',
    ]);
  });
});
