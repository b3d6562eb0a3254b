/** The items by key, in the order in which keys first come. `Map.groupBy` is not in every browser that is supported. */
export function groupBy<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const lists = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const list = lists.get(key);
    if (list) list.push(item);
    else lists.set(key, [item]);
  }
  return lists;
}
