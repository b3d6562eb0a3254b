/** The box of one lark, in pixels. */
export const LARK = { width: 28, height: 26 };

/** The space between the larks on the ground and the axis. */
const GROUND_GAP = 18;

export interface LarkLayout {
  /** The left edge of each lark in per cent of the width, in the order of the values. */
  x: number[];
  /** The row of each lark: 0 is the lowest. */
  row: number[];
  /** The number of rows that the picture needs. */
  rows: number;
  /** Where the left edge of a lark with a value would be, in per cent. */
  scale: (value: number) => number;
}

/** Larks above each other, and the left edge that they share. */
interface Stack {
  x: number;
  members: number[];
}

/**
 * Places larks along an axis by value, those without a value on the ground at the left. No two overlap, in a picture of
 * this width or wider; a larger value is never to the left of a smaller one.
 * @param values reading times; null for a lark on the ground
 * @param max the value at the right end of the axis
 * @param width in pixels, the smallest that the layout is used for
 * @param minRows the height of a picture that needs no more
 */
export function layOutLarks(
  values: readonly (number | null)[],
  max: number,
  width: number,
  minRows: number,
): LarkLayout {
  for (let rows = minRows; ; rows += 1) {
    const layout = tryRows(values, max, width, rows);
    // A single column always holds them all.
    if (layout) return layout;
  }
}

function tryRows(values: readonly (number | null)[], max: number, width: number, rows: number): LarkLayout | undefined {
  const onGround = indexesWhere(values, (value) => value === null);
  const columns = Math.ceil(onGround.length / rows);
  const start = columns === 0 ? 0 : columns * LARK.width + GROUND_GAP;
  const end = width - LARK.width;
  if (end < start) return undefined;
  const toX = (value: number) => start + (Math.min(value, max) / max) * (end - start);
  const flying = indexesWhere(values, (value) => value !== null).toSorted(
    (a, b) => (values[a] ?? 0) - (values[b] ?? 0) || a - b,
  );
  const stacks = spread(
    stackUp(flying, (index) => toX(values[index] ?? 0), rows),
    start,
    end,
    rows,
  );
  if (!stacks) return undefined;
  const layout: LarkLayout = {
    x: values.map(() => 0),
    row: values.map(() => 0),
    rows,
    scale: (value) => (toX(value) / width) * 100,
  };
  const put = (index: number, x: number, row: number) => {
    layout.x[index] = (x / width) * 100;
    layout.row[index] = row;
  };
  // The lowest row is filled first: it is the ground.
  for (const [position, index] of onGround.entries())
    put(index, (position % columns) * LARK.width, Math.floor(position / columns));
  for (const { x, members } of stacks) for (const [row, index] of members.entries()) put(index, x, row);
  return layout;
}

const indexesWhere = (values: readonly (number | null)[], test: (value: number | null) => boolean): number[] =>
  values.flatMap((value, index) => (test(value) ? [index] : []));

/** Puts each lark that would overlap the stack before it on top of that stack. */
function stackUp(sorted: readonly number[], xOf: (index: number) => number, rows: number): Stack[] {
  const stacks: Stack[] = [];
  for (const index of sorted) {
    const last = stacks.at(-1);
    if (last && last.members.length < rows && xOf(index) < last.x + LARK.width) last.members.push(index);
    else stacks.push({ x: xOf(index), members: [index] });
  }
  return stacks;
}

/** Moves stacks apart, as little as possible, within the axis. Merges neighbours if they do not fit otherwise. */
function spread(stacks: readonly Stack[], start: number, end: number, rows: number): Stack[] | undefined {
  const merged = stacks.map(({ x, members }) => ({ x, members: [...members] }));
  while ((merged.length - 1) * LARK.width > end - start) {
    const at = merged.findIndex(
      ({ members }, index) => members.length + (merged[index + 1]?.members.length ?? Infinity) <= rows,
    );
    if (at === -1) return undefined;
    merged[at]?.members.push(...(merged[at + 1]?.members ?? []));
    merged.splice(at + 1, 1);
  }
  for (const [index, stack] of merged.entries())
    stack.x = Math.max(stack.x, index === 0 ? start : (merged[index - 1]?.x ?? 0) + LARK.width);
  for (const [index, stack] of [...merged.entries()].toReversed())
    stack.x = Math.min(stack.x, (merged[index + 1]?.x ?? end + LARK.width) - LARK.width);
  return merged;
}
