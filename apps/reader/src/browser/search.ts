// Shows what a search finds while somebody types, and lets keys move through it. Without it, forms show a page of it.

/** How long somebody pauses before what they typed is searched for. */
const pauseMs = 120;
const texts = document.querySelector<HTMLScriptElement>('script[data-copy]')?.dataset ?? {};

interface Box {
  form: HTMLFormElement;
  input: HTMLInputElement;
  /** Where results are shown: on the page of a search that of the page, else below the box. */
  panel: HTMLElement;
  isOwn: boolean;
}

function boxOf(form: HTMLFormElement): Box | undefined {
  const input = form.querySelector<HTMLInputElement>('input[type="search"]');
  if (input === null) return undefined;
  input.autocomplete = 'off';
  const page = form.closest('main')?.querySelector<HTMLElement>('#results');
  if (page) return { form, input, panel: page, isOwn: false };
  const panel = document.createElement('div');
  panel.className = 'found';
  panel.hidden = true;
  form.append(panel);
  return { form, input, panel, isOwn: true };
}

function start(box: Box): void {
  const { form, input, panel, isOwn } = box;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asked = new AbortController();
  const find = async (): Promise<void> => {
    asked.abort();
    asked = new AbortController();
    const { signal } = asked;
    if (input.value.trim() === '') return close(box);
    try {
      const found = await results(addressOf(form), signal);
      panel.replaceChildren(...(found?.childNodes ?? []));
      panel.hidden = false;
    } catch {
      if (!signal.aborted) panel.hidden = isOwn;
    }
  };
  input.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(() => void find(), pauseMs);
  });
  form.addEventListener('keydown', (event) => move(event, box));
  form.addEventListener('focusout', ({ relatedTarget }) => {
    if (!(relatedTarget instanceof Node && form.contains(relatedTarget))) close(box);
  });
  input.addEventListener('focus', () => {
    if (isOwn && panel.childElementCount > 0 && input.value.trim() !== '') panel.hidden = false;
  });
}

function close({ panel, isOwn }: Box): void {
  if (isOwn) panel.hidden = true;
  else panel.replaceChildren();
}

function addressOf(form: HTMLFormElement): URL {
  const address = new URL(form.action);
  for (const [name, value] of new FormData(form)) if (typeof value === 'string') address.searchParams.set(name, value);
  return address;
}

async function results(address: URL, signal: AbortSignal): Promise<Element | null> {
  const answer = await fetch(address, { signal });
  return new DOMParser().parseFromString(await answer.text(), 'text/html').querySelector('#results');
}

/** Arrows move from the box to the results and between them; Escape goes back. */
function move(event: KeyboardEvent, { input, panel, isOwn }: Box): void {
  if (event.key === 'Escape' && isOwn && !panel.hidden) {
    panel.hidden = true;
    input.focus();
    event.preventDefault();
  }
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  if (step === 0 || panel.hidden) return;
  const links = [...panel.querySelectorAll<HTMLElement>('a.result, summary')];
  const at = links.findIndex((link) => link === document.activeElement);
  event.preventDefault();
  (links[at + step] ?? (step < 0 ? input : links[0]))?.focus();
}

const boxes = [...document.querySelectorAll<HTMLFormElement>('form[role="search"]')].flatMap(
  (form) => boxOf(form) ?? [],
);
for (const box of boxes) start(box);

addEventListener('keydown', (event) => {
  const isTyping =
    event.target instanceof Element && event.target.closest('input, textarea, select, [contenteditable]');
  const isCommand = (event.ctrlKey || event.metaKey) && event.key === 'k';
  if ((event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping) && !isCommand) return;
  const box = boxes.find(({ input }) => input.checkVisibility());
  if (box === undefined) return;
  event.preventDefault();
  box.input.select();
});
for (const { input } of boxes) input.title = texts['searchKey'] ?? '';

export {};
