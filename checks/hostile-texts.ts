/*
 * A worker: parses texts made to be slow with every text of the contract, then tries every pattern that was run
 * meanwhile by itself. It tells each that takes more processor time than it may.
 */
import { parentPort } from 'node:worker_threads';
import { api } from '#contract/api.ts';
import type { Call } from '#contract/call.ts';
import type { z } from 'zod';

/** Processor time, in milliseconds: a linear pattern over `LENGTH` characters takes a hundredth of it. */
const BUDGET = 25;
const LENGTH = 20_000;
/** Characters of the longest text that any call takes: a longer one is refused by its length before anything reads it. */
const LONGEST = 20_000;
/** What a body of the largest call may hold. */
const BODY = 1024 * 1024;

export interface Finding {
  /** `POST /auth body.email`, or a pattern's source. */
  what: string;
  /** The beginning of the text that was slow. */
  hostile: string;
  /** Milliseconds of processor time. */
  took: number;
}
export type Message =
  | { trying: string }
  | { texts: string[]; patterns: string[]; slow: Finding[]; unbounded: string[] };

const tell = (message: Message) => parentPort?.postMessage(message);

/** Milliseconds of this thread's processor time; the best of three, so that a collection of garbage is no fault. */
function timeOf(work: () => void, enough: number): number {
  let best = Infinity;
  for (let tries = 0; tries < 3 && best > enough; tries += 1) {
    const begin = process.threadCpuUsage();
    work();
    const { user, system } = process.threadCpuUsage(begin);
    best = Math.min(best, (user + system) / 1000);
  }
  return best;
}

type Definition = Record<string, unknown> & { type: string };
const isSchema = (value: unknown): value is z.ZodType => typeof value === 'object' && value !== null && '_zod' in value;

/** Every schema of texts in a schema, with the path to it: the whole of it where steps follow (`pipe`). */
function* textsOf(schema: z.ZodType, path: string, seen = new Set<z.ZodType>()): Generator<[string, z.ZodType]> {
  if (seen.has(schema)) return;
  seen.add(schema);
  const definition = schema._zod.def as unknown as Definition;
  if (firstStep(schema)._zod.def.type === 'string') yield [path, schema];
  const parts = definition.type === 'object' ? (definition.shape as Record<string, unknown>) : definition;
  for (const [name, part] of Object.entries(parts))
    for (const one of Array.isArray(part) ? part : [part])
      if (isSchema(one)) yield* textsOf(one, definition.type === 'object' ? `${path}.${name}` : path, seen);
}

/** What a value meets first. */
function firstStep(schema: z.ZodType): z.ZodType {
  const { in: first, innerType } = schema._zod.def as unknown as Definition;
  if (isSchema(first)) return firstStep(first);
  return isSchema(innerType) ? firstStep(innerType) : schema;
}

/** Patterns that formats hold (`z.iso.date()`), which are never run where the schema is compiled. */
function* declaredPatterns(schema: z.ZodType): Generator<RegExp> {
  const { checks = [], pattern } = schema._zod.def as unknown as { checks?: unknown[]; pattern?: unknown };
  if (pattern instanceof RegExp) yield pattern;
  for (const check of checks) {
    const of = (check as { _zod?: { def?: { pattern?: unknown } } })._zod?.def?.pattern;
    if (of instanceof RegExp) yield of;
  }
}

const UNITS = [...Array.from('1aAzZ .-+@:/,\'"_\t\u00A0\u0301\u{10000}'), 'é', 'www.', '://'];
const PUMPS = [...UNITS, ...UNITS.flatMap((one) => UNITS.map((other) => one + other))];
const PREFIXES = ['', 'a@', '2026-11-21T09:30:00.'];
const SUFFIXES = ['', 'x!', '\0'];

function* hostileTexts(length: number): Generator<string> {
  for (const pump of PUMPS) {
    const middle = pump.repeat(Math.ceil(length / pump.length));
    for (const prefix of PREFIXES) for (const suffix of SUFFIXES) yield prefix + middle + suffix;
  }
}

/** Marks in an order that normalising has to sort, and what takes long to case or to trim. */
const HOSTILE_BODIES = [
  `a${'\u0301\u0327'.repeat(BODY / 2)}`,
  `${'1'.repeat(BODY)}x`,
  `${' '.repeat(BODY)}x`,
  `x${'\t '.repeat(BODY / 2)}x`,
  `${'a.'.repeat(BODY / 2)}@`,
  `${'ß'.repeat(BODY)}!`,
  ','.repeat(BODY),
];

const run = RegExp.prototype.exec;
const patterns = new Map<string, RegExp>();
const watchPatterns = (exec: typeof run) =>
  // oxlint-disable-next-line no-extend-native -- the engine itself tells which patterns run
  Object.defineProperty(RegExp.prototype, 'exec', { value: exec, configurable: true, writable: true });
/** Formats of one length, whose patterns end where that does. */
const FORMATS = new Set(['date', 'datetime', 'uuid']);
/** By which the library counts the characters of a text. */
const COUNTING = String(/[\uD800-\uDBFF]/);
/** Characters of the longest text that a pattern or a normalising has met. */
let longest = 0;
// Keeps every pattern that runs: those inside transformations stand in no schema.
watchPatterns(function exec(this: RegExp, hostile: string) {
  patterns.set(String(this), this);
  if (String(this) !== COUNTING) longest = Math.max(longest, hostile.length);
  return run.call(this, hostile);
});
const { normalize } = String.prototype;
// oxlint-disable-next-line no-extend-native -- see above
Object.defineProperty(String.prototype, 'normalize', {
  value(this: string, form?: string) {
    longest = Math.max(longest, this.length);
    return normalize.call(this, form);
  },
});

const slow: Finding[] = [];
const texts: string[] = [];
const unbounded: string[] = [];
const met = new Set<string>();
const note = (what: string, hostile: string, took: number) =>
  slow.push({ what, hostile: JSON.stringify(hostile.slice(0, 40)), took: Math.round(took) });

for (const call of Object.values<Call>(api))
  for (const part of ['params', 'query', 'body', 'reply'] as const)
    for (const [path, schema] of textsOf(call[part], `${call.name} ${part}`)) {
      for (const pattern of declaredPatterns(schema)) patterns.set(String(pattern), pattern);
      // Replies are our own.
      if (part === 'reply') continue;
      texts.push(path);
      for (const typed of ['Ada', '12', 'a@b.example', "Zoë O'Hara", '2026-11-21T09:30:00Z', 'SW1A 1AA'])
        schema.safeParse(typed);
      longest = 0;
      for (const hostile of HOSTILE_BODIES) {
        tell({ trying: path });
        const took = timeOf(() => schema.safeParse(hostile), BUDGET);
        if (took > BUDGET) note(path, hostile, took);
      }
      if (
        longest > LONGEST &&
        !met.has(path) &&
        !FORMATS.has(String((firstStep(schema)._zod.def as unknown as Definition).format))
      )
        unbounded.push(path);
      // What a path yields after its first schema are the parts of it, which longer texts do not reach.
      met.add(path);
    }

watchPatterns(run);
for (const [source, pattern] of patterns) {
  const again = new RegExp(pattern.source, pattern.flags.replace(/[gy]/g, ''));
  for (const length of [40, LENGTH])
    for (const hostile of hostileTexts(length)) {
      if (slow.some(({ what }) => what === source)) break;
      const took = timeOf(() => void again.exec(hostile), BUDGET);
      if (took > BUDGET) note(source, hostile, took);
    }
  tell({ trying: source });
}
tell({ texts, patterns: [...patterns.keys()], slow, unbounded });
