interface List<T> {
  items: readonly T[];
  next?: { page: string } | undefined;
}

/** All items of a list, page by page. `read` answers the page at a cursor, which the first page does not have. */
export async function* everyItem<T>(read: (cursor: { page?: string }) => Promise<List<T>>): AsyncGenerator<T> {
  let page: string | undefined;
  do {
    const list = await read(page === undefined ? {} : { page });
    yield* list.items;
    page = list.next?.page;
  } while (page !== undefined);
}
