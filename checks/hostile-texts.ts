/*
 * A worker: parses strings made to be slow with every text schema of the contract, then tries every pattern that ran on
 * its own. Reports each one that exceeds its budget of processor time.
 */
import { parentPort } from 'node:worker_threads';
import { api } from '#contract/api.ts';
import type { Call } from '#contract/call.ts';
import type { z } from 'zod';

/** The budget in milliseconds of processor time: a linear pattern over `LENGTH` characters takes a hundredth of it. */
const BUDGET = 25;
const LENGTH = 20_000;
/** The length of the longest text that any call accepts; longer ones are rejected before any pattern runs. */
const LONGEST = 20_000;
/** The body limit of the largest call. */
const BODY = 1024 * 1024;

export interface Finding {
  /** `POST /auth body.email`, or the source of a pattern. */
  what: string;
  /** The start of the slow text. */
  hostile: string;
  /** Milliseconds of processor time. */
  took: number;
}
export type Message =
  | { trying: string }
  | { texts: string[]; patterns: string[]; slow: Finding[]; unbounded: string[] };

const tell = (message: Message) => parentPort?.postMessage(message);

/** This thread's processor time in milliseconds; the best of ten, to ignore garbage collection and a busy machine. */
function timeOf(work: () => void, enough: number): number {
  let best = Infinity;
  for (let tries = 0; tries < 10 && best > enough; tries += 1) {
    const begin = process.threadCpuUsage();
    work();
    const { user, system } = process.threadCpuUsage(begin);
    best = Math.min(best, (user + system) / 1000);
  }
  return best;
}

type Definition = Record<string, unknown> & { type: string };
const isSchema = (value: unknown): value is z.ZodType => typeof value === 'object' && value !== null && '_zod' in value;

/** Every text schema within a schema, with its path; the whole schema if it is a pipe. */
function* textsOf(schema: z.ZodType, path: string, seen = new Set<z.ZodType>()): Generator<[string, z.ZodType]> {
  if (seen.has(schema)) return;
  seen.add(schema);
  const definition = schema._zod.def as unknown as Definition;
  if (firstStep(schema)._zod.def.type === 'string') yield [path, schema];
  const parts = definition.type === 'object' ? (definition.shape as Record<string, unknown>) : definition;
  for (const [name, part] of Object.entries(parts))
    for (const item of Array.isArray(part) ? part : [part])
      if (isSchema(item)) yield* textsOf(item, definition.type === 'object' ? `${path}.${name}` : path, seen);
}

/** The first schema of a pipe. */
function firstStep(schema: z.ZodType): z.ZodType {
  const { in: first, innerType } = schema._zod.def as unknown as Definition;
  if (isSchema(first)) return firstStep(first);
  return isSchema(innerType) ? firstStep(innerType) : schema;
}

/** The patterns of formats such as `z.iso.date()`, which compiled schemas do not run. */
function* declaredPatterns(schema: z.ZodType): Generator<RegExp> {
  const { checks = [], pattern } = schema._zod.def as unknown as { checks?: unknown[]; pattern?: unknown };
  if (pattern instanceof RegExp) yield pattern;
  for (const check of checks) {
    const of = (check as { _zod?: { def?: { pattern?: unknown } } })._zod?.def?.pattern;
    if (of instanceof RegExp) yield of;
  }
}

const UNITS = [...Array.from('1aAzZ .-+@:/,\'"_\t\u00A0\u0301\u{10000}'), 'é', 'www.', '://'];
const PUMPS = [...UNITS, ...UNITS.flatMap((first) => UNITS.map((second) => first + second))];
const PREFIXES = ['', 'a@', '2026-11-21T09:30:00.'];
const SUFFIXES = ['', 'x!', '\0'];

function* hostileTexts(length: number): Generator<string> {
  for (const pump of PUMPS) {
    const middle = pump.repeat(Math.ceil(length / pump.length));
    for (const prefix of PREFIXES) for (const suffix of SUFFIXES) yield prefix + middle + suffix;
  }
}

/** Combining marks that normalisation must sort, and characters that are slow to change case or trim. */
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
  // oxlint-disable-next-line no-extend-native -- records which patterns run
  Object.defineProperty(RegExp.prototype, 'exec', { value: exec, configurable: true, writable: true });
/** Formats of a fixed length, whose patterns end there. */
const FORMATS = new Set(['date', 'datetime', 'uuid']);
/** The pattern that the library uses to count characters. */
const COUNTING = String(/[\uD800-\uDBFF]/);
/** The length of the longest text seen by a pattern or by normalisation. */
let longest = 0;
// Records every pattern that runs, because those inside transformations are in no schema.
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
      // Replies contain no untrusted text.
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
      // Later schemas of a pipe only see text that the first one accepted.
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
