/** How the API of the last release is recorded in `contract/recorded/`: for reviews, one line for each path or call. */
import type { Document, Statuses } from './breaking-changes.ts';

/** Texts for people, which can change at any time. */
const TEXTS = new Set(['description', 'summary', 'example']);

/** Properties of an object can have the names of these texts. */
function withoutTexts(value: unknown, isNamed = false): unknown {
  if (Array.isArray(value)) return value.map((part) => withoutTexts(part));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => isNamed || !TEXTS.has(key))
      .map(([key, part]) => [key, withoutTexts(part, key === 'properties')]),
  );
}

/** Prints an OpenAPI document without its texts and the values of its examples. */
export function printDocument({ openapi, info, paths, components }: Document): string {
  const entries = (things: object) =>
    Object.entries(things)
      .map(([name, thing]) => `${JSON.stringify(name)}:${JSON.stringify(withoutTexts(thing))}`)
      .join(',\n');
  const head = JSON.stringify({ openapi, info: withoutTexts(info) }).slice(0, -1);
  return `${head},\n"paths":{\n${entries(paths)}\n},\n"components":{"schemas":{\n${entries(components.schemas)}\n}}}\n`;
}

/** The statuses as a table: a line for each call, a column for each state. */
export function printStatuses(statuses: Statuses): string {
  const states = Object.keys(Object.values(statuses)[0] ?? {});
  const lines = Object.entries(statuses)
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([call, byState]) => [call, ...states.map((state) => byState[state])]);
  return [['call', ...states], ...lines].map((line) => `${line.join('\t')}\n`).join('');
}

/** Reads what `printStatuses` printed. */
export function readStatuses(table: string): Statuses {
  const [[, ...states] = [], ...lines] = table
    .split('\n')
    .filter(Boolean)
    .map((line) => line.split('\t'));
  return Object.fromEntries(
    lines.map(([call = '', ...statuses]) => [
      call,
      Object.fromEntries(states.map((state, index) => [state, statuses[index] ?? ''])),
    ]),
  );
}
