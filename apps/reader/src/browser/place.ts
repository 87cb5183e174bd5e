// Marks in "On this page" the part of the page that is being read.

const links = new Map(
  [...document.querySelectorAll<HTMLAnchorElement>('.outline a')].map((link) => [
    decodeURIComponent(link.hash.slice(1)),
    link,
  ]),
);
const headings = [...links.keys()].map((id) => document.getElementById(id)).filter((one) => one !== null);

/** Pixels below the top of the window, behind which a heading is not yet the one that is read. */
const nearTop = 120;

function mark(): void {
  const isAtEnd = Math.ceil(scrollY + innerHeight) >= document.documentElement.scrollHeight;
  const read = headings.findLast((heading) => isAtEnd || heading.getBoundingClientRect().top <= nearTop);
  for (const [id, link] of links) link.ariaCurrent = id === (read ?? headings[0])?.id ? 'location' : null;
}

if (headings.length > 0) {
  let isWaiting = false;
  const soon = (): void => {
    if (isWaiting) return;
    isWaiting = true;
    requestAnimationFrame(() => {
      isWaiting = false;
      mark();
    });
  };
  addEventListener('scroll', soon, { passive: true });
  addEventListener('resize', soon, { passive: true });
  mark();
}

export {};
