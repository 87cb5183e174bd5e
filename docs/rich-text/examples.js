// What the page offers to start from: one text for each part of the format.
window.EXAMPLES = {
  'A first page': `# Install

Put the **server** on a machine of yours, _then_ invite people. Press <kbd>Ctrl</kbd> :rocket:

{% hint style="info" %}
Needs **Node 20** or newer[^1].
{% endhint %}

1. Fetch it
2. Start it
   * with its own stores
   * or with yours

\`\`\`sh
npm start
\`\`\`

[^1]: Version 20.19, to be exact.
`,
  'Text and marks': `**bold**, _italic_, ~~gone~~, \`code\`, H<sub>2</sub>O, x<sup>2</sup>, <mark style="color:red;background-color:yellow;">marked</mark>

A [link](https://example.com), a formula $$a^2 + b^2$$, an emoji :tada:, an icon <i class="fa-leaf">:leaf:</i>, and <code class="expression">visitor.claims.plan</code>.

<a href="https://example.com" class="button primary" data-icon="rocket">Start</a>

A note[^1] on a word.

[^1]: What the note says.
`,
  Lists: `* one
* two
  * inside

1. first
2. second

* [x] done
* [ ] to do
`,
  'Hints and expandables': `{% hint style="warning" icon="bolt" %}
Careful with this.

* really
{% endhint %}

> [!TIP]
> The form that other sites use is understood.

<details open>

<summary>More about it</summary>

Any **text** goes here.

</details>
`,
  Code: `{% code title="server.js" overflow="wrap" lineNumbers="true" %}
\`\`\`js
const port = 0;
\`\`\`
{% endcode %}

Tags in code stay code:

\`\`\`
{% hint style="info" %}
\`\`\`

\`\`\`mermaid
graph LR; write --> read
\`\`\`
`,
  'Tabs, steps, columns': `{% tabs %}
{% tab title="npm" %}
Run \`npm start\`.
{% endtab %}

{% tab title="Docker" icon="docker" %}
Run \`docker compose up\`.
{% endtab %}
{% endtabs %}

{% stepper %}
{% step %}
## Create

It has a name.
{% endstep %}

{% step %}
## Publish
{% endstep %}
{% endstepper %}

{% columns %}
{% column width="50%" %}
Left
{% endcolumn %}

{% column %}
Right
{% endcolumn %}
{% endcolumns %}
`,
  Tables: `| Name | Size |
| :--- | ---: |
| one | 1 |
| **two** | 2 |

<table data-view="cards"><thead><tr><th></th><th data-hidden data-card-target data-type="content-ref"></th></tr></thead><tbody><tr><td><strong>Start here</strong></td><td><a href="https://example.com">https://example.com</a></td></tr></tbody></table>

<table><thead><tr><th>Plan</th><th data-type="number">Seats</th><th>Tags<select multiple><option value="a" label="New" color="green"></option></select></th><th data-type="content-ref">See</th></tr></thead><tbody><tr><td>Free</td><td>3</td><td><span data-option="a">New</span></td><td><a href="https://example.com/free">Free</a></td></tr><tr><td>Team</td><td>as many as you like</td><td></td><td data-type="text"><a href="https://example.com/a">Monthly</a> or <a href="https://example.com/b">yearly</a></td></tr></tbody></table>
`,
  'Images, files, embeds': `<figure><img src="https://example.com/a.png" alt="A diagram"><figcaption><p>What it shows</p></figcaption></figure>

{% embed url="https://example.com/video" %}
A caption
{% endembed %}

{% file src="/files/manual" %}
The manual
{% endfile %}
`,
  'Conditions and reuse': `{% if visitor.claims.plan == "pro" %}
Only for some.
{% endif %}

{% include "/reusable-content/footer" %}

{% openapi-operation spec="shop" path="/orders" method="post" %}
[OpenAPI shop](https://example.com)
{% endopenapi-operation %}

{% @acme/chart kind="bar" %}
`,
};
