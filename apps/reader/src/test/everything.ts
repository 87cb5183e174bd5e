/** Markdown with every kind of block and mark that people write. `/files/dot` is an image. */
export const everything = `
Text with **bold**, _italic_, \`code\`, ~~gone~~, <kbd>Ctrl</kbd>, H<sub>2</sub>O, <mark style="color:red;background-color:yellow;">red</mark>,
a [link](https://example.com), a note[^1], math $$E = mc^2$$ and :rocket:.
<a href="https://example.com" class="button primary">Start</a> <a href="https://example.com" class="button secondary">More</a>

## Lists

* one
  * nested

3. third

* [x] done
* [ ] open

## Hints

{% hint style="info" %}
A note with \`code\` and a [link](https://example.com).
{% endhint %}

{% hint style="success" %}
It worked, see [this](https://example.com).
{% endhint %}

{% hint style="warning" %}
Take care of [this](https://example.com).
{% endhint %}

{% hint style="danger" %}
### Danger

Do not do [this](https://example.com).
{% endhint %}

> Somebody said this.

## Code

{% code title="server.ts" lineNumbers="true" %}
\`\`\`ts
import { a } from 'b';
// Says hello
export const c: string | null = \`x \${a(12)}\`;
\`\`\`
{% endcode %}

## Table

| Name | What it says |
| ---- | -----------: |
| \`A\` | **One** |

<table data-view="cards"><thead><tr><th></th><th data-hidden data-card-target data-type="content-ref"></th><th data-hidden data-card-cover data-type="image">Cover</th></tr></thead><tbody><tr><td><strong>Card</strong></td><td><a href="https://example.com">x</a></td><td><a href="/files/dot">dot</a></td></tr></tbody></table>

## Parts

{% tabs %}
{% tab title="npm" %}
npm
{% endtab %}
{% tab title="other" %}
other
{% endtab %}
{% endtabs %}

{% stepper %}
{% step %}
### Install

Run it.
{% endstep %}
{% endstepper %}

{% columns %}
{% column width="33.3%" %}
Left
{% endcolumn %}
{% column %}
Right
{% endcolumn %}
{% endcolumns %}

<details>

<summary>Open me</summary>

Hidden text.

</details>

<figure><img src="/files/dot" alt="A dot"><figcaption><p>A caption</p></figcaption></figure>

{% file src="/files/dot" %}
The dot
{% endfile %}

{% embed url="https://video.example/1" %}

$$
\\frac{a}{b}
$$

{% updates format="full" %}
{% update date="2026-01-31" %}
### News

New.
{% endupdate %}
{% endupdates %}

[^1]: The text of the note.
`;

/** Blocks of kinds that a page may have several times, and those that are shown without what they are about. */
export const several = `
\`\`\`mermaid
graph TD
  A --> B
\`\`\`

\`\`\`mermaid
graph LR
  C --> D
\`\`\`

\`\`\`diff
- old
+ new
\`\`\`

| Name | Value |
| ---- | ----- |
| A    | 1     |

| Name | Value |
| ---- | ----- |
| B    | ${'a long value that does not fit on the screen of a phone '.repeat(3)} |

{% prompt description="Summarise" %}
Summarise this page.
{% endprompt %}

{% embed url="https://video.example/1" %}
A video
{% endembed %}

{% openapi-operation spec="pets" path="/pets" method="get" %}
[OpenAPI pets](/openapi/pets)
{% endopenapi-operation %}

{% openapi-webhook spec="pets" name="newPet" method="post" %}
[OpenAPI pets](/openapi/pets)
{% endopenapi-webhook %}

## عنوان

نص بالعربية.

## 見出し

日本語の文章です。
`;

/** A PNG of one point. */
export const dot = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
