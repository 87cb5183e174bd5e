// Copies code, and a page as markdown. Browsers copy only for scripts, so buttons of code come with this one.

const texts = document.querySelector<HTMLScriptElement>('script[data-copy]')?.dataset ?? {};

/** How long a button says that something was copied. */
const saidMs = 2_000;

function newButton(name: string): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = name;
  button.ariaLive = 'polite';
  return button;
}

function copies(button: HTMLButtonElement, read: () => string | Promise<string>): HTMLButtonElement {
  const name = button.textContent;
  button.addEventListener('click', () => {
    // The text is read after the click is taken for one, which browsers ask for.
    const text = Promise.resolve(read()).then((one) => new Blob([one], { type: 'text/plain' }));
    navigator.clipboard.write([new ClipboardItem({ 'text/plain': text })]).then(
      () => {
        button.textContent = texts['copied'] ?? name;
        setTimeout(() => (button.textContent = name), saidMs);
      },
      () => undefined,
    );
  });
  return button;
}

const ofPage = document.querySelector<HTMLButtonElement>('.copy-page');
if ('clipboard' in navigator) {
  for (const code of document.querySelectorAll('figure.code')) {
    const pre = code.querySelector('pre');
    code.querySelector('figcaption')?.append(copies(newButton(texts['copy'] ?? ''), () => pre?.textContent ?? ''));
  }
  const markdown = document.querySelector<HTMLAnchorElement>('.actions a[href*=".md"]');
  if (ofPage !== null) copies(ofPage, () => fetch(markdown?.href ?? '').then((answer) => answer.text()));
} else if (ofPage !== null) {
  ofPage.hidden = true;
}

export {};
