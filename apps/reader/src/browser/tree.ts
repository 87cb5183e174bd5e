// Puts pages of the navigation in place that are not sent with a page. Without it their links lead to a page of them.

const navigation = document.querySelector('#pages .pages');

navigation?.addEventListener('click', (event) => {
  const link = event.target instanceof Element ? event.target.closest('a.opener, .more-pages > a') : null;
  const isPlain = event instanceof MouseEvent && !event.ctrlKey && !event.metaKey && !event.shiftKey;
  if (!(link instanceof HTMLAnchorElement) || !isPlain) return;
  event.preventDefault();
  if (link.ariaBusy === 'true') return;
  link.ariaBusy = 'true';
  fetchList(link.href).then(
    (list) => place(link, list),
    () => location.assign(link.href),
  );
});

async function fetchList(address: string): Promise<Element> {
  const answer = await fetch(address);
  const page = new DOMParser().parseFromString(answer.ok ? await answer.text() : '', 'text/html');
  const list = page.querySelector('main .pages > ul');
  if (list === null) throw new Error('There is no such list');
  return list;
}

function place(link: HTMLAnchorElement, list: Element): void {
  const item = link.parentElement;
  if (item?.classList.contains('more-pages')) return placeMore(item, list);
  const first = list.querySelector('a');
  if (item?.classList.contains('group')) link.replaceWith(list);
  else {
    const summary = document.createElement('summary');
    summary.ariaLabel = link.ariaLabel;
    const details = document.createElement('details');
    details.open = true;
    details.append(summary, list);
    link.replaceWith(details);
  }
  first?.focus();
}

/** Adds pages to a list that has a part of them, in the place of the item that leads to them. */
function placeMore(item: Element, list: Element): void {
  const isBefore = item.previousElementSibling === null;
  const known = new Set([...(item.parentElement?.querySelectorAll(':scope > li > a') ?? [])].map(hrefOf));
  // What leads back to pages that are here already is left out.
  const back = isBefore ? list.lastElementChild : list.firstElementChild;
  if (back?.classList.contains('more-pages')) back.remove();
  const items = [...list.children].filter((one) => !known.has(hrefOf(one.querySelector(':scope > a'))));
  item.replaceWith(...items);
  (isBefore ? items.at(-1) : items[0])?.querySelector('a')?.focus();
}

function hrefOf(link: Element | null): string {
  return link?.getAttribute('href') ?? '';
}

// The page that is shown is in sight.
const [beside, current] = [document.querySelector('#pages'), navigation?.querySelector('[aria-current]')];
if (beside !== null && current instanceof HTMLElement) {
  const middle = current.getBoundingClientRect().top - beside.getBoundingClientRect().top - beside.clientHeight / 2;
  if (middle > 0) beside.scrollTop += middle;
}

export {};
