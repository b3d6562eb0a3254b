/**
 * Compares the API with its record of the last release, in `contract/recorded/`: what a program that was written then can
 * no longer send, or gets and does not expect. Each break is a sentence, which the changelog must have.
 */
import { type Json, readShape, type Shape } from './shapes.ts';

type Components = Record<string, Json>;

/** An OpenAPI document. */
export interface Document {
  openapi: string;
  info: object;
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Components };
}
interface Operation {
  parameters: { name: string; in: string; required: boolean; schema: Json }[];
  requestBody?: { content: Record<string, { schema: Json }> };
  responses: Record<string, { content: Record<string, { schema: Json; examples?: Json }> }>;
  security: unknown[];
}

/** The status of each call for an admin, by state of the school: `402 locked`. */
export type Statuses = Record<string, Record<string, string>>;

const parentsOf = (path: string): string[] =>
  [...path.matchAll(/\.|\[\]|\{\}/g)].map(({ index }) => path.slice(0, index)).filter(Boolean);

/** The paths of `from` that `to` lacks, without the fields of objects that it lacks as a whole. */
const listRemoved = (from: Shape, to: Shape): string[] => {
  const removed = [...from.keys()].filter((path) => !to.has(path));
  return removed.filter((path) => !parentsOf(path).some((parent) => removed.includes(parent)));
};

const named = (path: string): string => (path === '' ? 'the body' : `\`${path}\``);
const NOUNS: Record<string, string> = {
  null: 'null',
  string: 'text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
  any: 'anything',
};

const isWithin = (type: string, types: ReadonlySet<string>): boolean =>
  types.has(type) || types.has('any') || (type === 'integer' && types.has('number'));

/** What `wide` allows and `narrow` does not, in words. */
function* listExtra(path: string, wide: Shape, narrow: Shape): Generator<string> {
  const [more, less] = [wide.get(path), narrow.get(path)];
  if (!more || !less) return;
  for (const type of more.types) if (!isWithin(type, less.types)) yield NOUNS[type] ?? type;
  if (!less.values) return;
  if (!more.values) yield 'other values';
  for (const value of more.values ?? []) if (!less.values.has(value)) yield value;
}

function* compareReplies(before: Shape, after: Shape): Generator<string> {
  for (const path of listRemoved(before, after)) yield `No longer returned: ${named(path)}`;
  for (const [path, field] of after) {
    if (before.get(path)?.isRequired && !field.isRequired) yield `Can be left out of the reply: ${named(path)}`;
    for (const extra of listExtra(path, after, before)) yield `New in the reply: ${extra} as ${named(path)}`;
  }
}

const isTighter = (name: string, before: unknown, after: unknown): boolean => {
  if (after === undefined) return false;
  if (before === undefined) return true;
  if (/^(max|exclusiveMax)/.test(name)) return (after as number) < (before as number);
  if (/^(min|exclusiveMin)/.test(name)) return (after as number) > (before as number);
  return after !== before;
};

function* compareRequests(before: Shape, after: Shape): Generator<string> {
  for (const path of listRemoved(before, after)) yield `No longer read: ${named(path)}`;
  for (const [path, field] of after) {
    const old = before.get(path);
    const isNewObject = parentsOf(path).some((parent) => !before.has(parent));
    if (field.isRequired && !old?.isRequired && !isNewObject && path !== '') yield `Newly required: ${named(path)}`;
    for (const extra of listExtra(path, before, after)) yield `No longer accepted: ${extra} as ${named(path)}`;
    for (const [name, limit] of Object.entries(field.limits))
      if (old && isTighter(name, old.limits[name], limit))
        yield `\`${name}\` of ${named(path)} is ${JSON.stringify(limit)}`;
  }
}

/** What a request to an operation carries: its parameters by place, and its bodies by media type. */
function requestShapes(operation: Operation, components: Components): Map<string, Shape> {
  const shapes = new Map<string, Shape>();
  const parameters = operation.parameters.filter((parameter) => parameter.in !== 'path');
  const properties = Object.fromEntries(parameters.map(({ name, schema }) => [name, schema]));
  const required = parameters.flatMap((parameter) => (parameter.required ? [parameter.name] : []));
  shapes.set('query', readShape({ type: 'object', properties, required }, components));
  for (const [type, { schema }] of Object.entries(operation.requestBody?.content ?? {}))
    shapes.set(type, readShape(schema, components));
  return shapes;
}

function replyShapes({ responses }: Operation, components: Components): Map<string, Shape> {
  const content = Object.entries(responses['200']?.content ?? {});
  return new Map(content.map(([type, { schema }]) => [type, readShape(schema, components)]));
}

/** The statuses of the errors that clients branch on, by code. */
const errorStatuses = ({ responses }: Operation): Map<string, string> =>
  new Map(
    Object.entries(responses).flatMap(([status, { content }]) =>
      Object.keys(content['application/json']?.examples ?? {}).map((code) => [code, status] as const),
    ),
  );

function* compareOperations(before: Operation, after: Operation, was: Components, is: Components): Generator<string> {
  if (before.security.length === 0 && after.security.length > 0) yield 'Newly required: a token';
  const requests = requestShapes(after, is);
  for (const [type, shape] of requestShapes(before, was)) {
    const current = requests.get(type);
    if (current) yield* compareRequests(shape, current);
    else yield `No longer read: ${type}`;
  }
  const replies = replyShapes(after, is);
  for (const [type, shape] of replyShapes(before, was)) {
    const current = replies.get(type);
    if (current) yield* compareReplies(shape, current);
    else yield `No longer returned: ${type}`;
  }
  const statuses = errorStatuses(after);
  for (const [code, status] of errorStatuses(before)) {
    const current = statuses.get(code);
    if (current && current !== status) yield `\`${code}\` has the status ${current}, no longer ${status}`;
  }
}

/** One sentence for each change, with the calls that have it. */
const toSentences = (changes: readonly (readonly [call: string, change: string])[]): string[] =>
  [...new Set(changes.map(([, change]) => change))].map((change) => {
    const calls = changes.flatMap(([call, sentence]) => (sentence === change ? [`\`${call}\``] : []));
    return `${change} (${[...new Set(calls)].join(', ')})`;
  });

/** A path without the names of its parameters, which no request contains. */
const nameless = (path: string): string => path.replaceAll(/\{\w+\}/g, '{}');

const byNamelessPath = <T>(things: Record<string, T>): Map<string, T> =>
  new Map(Object.entries(things).map(([path, thing]) => [nameless(path), thing]));

/** The breaking changes from one document to the next. */
export function listBreaks(recorded: Document, current: Document): string[] {
  const currentPaths = byNamelessPath(current.paths);
  return toSentences(
    Object.entries(recorded.paths).flatMap(([path, operations]) =>
      Object.entries(operations).flatMap(([method, before]) => {
        const after = currentPaths.get(nameless(path))?.[method];
        const [was, is] = [recorded.components.schemas, current.components.schemas];
        const changes = after ? [...compareOperations(before, after, was, is)] : ['Removed'];
        return changes.map((change) => [`${method.toUpperCase()} ${path}`, change] as const);
      }),
    ),
  );
}

/** The calls that answer another status in a state of the school. Where an error has become a success, nothing breaks. */
export function listStatusBreaks(recorded: Statuses, current: Statuses): string[] {
  const currentCalls = byNamelessPath(current);
  return toSentences(
    Object.entries(recorded).flatMap(([call, states]) =>
      Object.entries(states).flatMap(([state, before]) => {
        const after = currentCalls.get(nameless(call))?.[state];
        if (after === undefined || after === before || after.startsWith('2')) return [];
        return [[call, `${after}, no longer ${before}, in the state “${state}”`] as const];
      }),
    ),
  );
}

/** The breaks that the part *Unreleased* of the changelog does not have, sentence by sentence. */
export function listUnannounced(breaks: readonly string[], changelog: string): string[] {
  const unreleased = /^## \[Unreleased\]([^]*?)(?=^## |$(?![^]))/m.exec(changelog)?.[1] ?? '';
  return breaks.filter((sentence) => !unreleased.includes(sentence));
}
