import type { Call } from '#contract/call.ts';
import {
  childDataOf,
  findRequestedClass,
  listRequestedPupils,
  type ViewKind,
  type ViewScreen,
} from '#contract/record-views.ts';
import type { z } from 'zod';
import { FileReply } from '../file-reply.ts';

/** The pupils whose data a reply contained, and as what it was shown. */
export interface ShownPupils {
  what: ViewKind;
  screen: ViewScreen;
  /** A page about one pupil, or a list of a class or of any other pupils. */
  about: 'pupil' | 'class' | 'list';
  /** The pupil or the class; 0 for any other list. */
  aboutId: number;
  pupilIds: number[];
}

/** What is known about a reply besides its content. */
interface CallContext {
  params: unknown;
  query: unknown;
  /** The pupils that the handler named. */
  shown: readonly number[] | undefined;
}

/** Finds the pupils whose data a reply to a call contains; undefined when there are none. */
export type FindShownPupils = (answer: unknown, context: CallContext) => ShownPupils | undefined;

interface FoundPupils {
  pupils: Set<number>;
  /** Data about a child was found whom the reply does not name. */
  hasUnnamed: boolean;
}
type Walk = (value: unknown, found: FoundPupils) => void;

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || (Array.isArray(value) && value.length === 0);

/** Adds the ID or the IDs. */
function addPupils(ids: unknown, { pupils }: FoundPupils): void {
  if (Array.isArray(ids)) for (const id of ids) pupils.add(id as number);
  else if (typeof ids === 'number') pupils.add(ids);
}

function compileObject(schema: z.core.$ZodObject): Walk | undefined {
  const data = childDataOf(schema);
  const parts = Object.entries(schema._zod.def.shape).flatMap(([key, part]): [string, Walk][] => {
    const walk = compileWalk(part);
    return walk ? [[key, walk]] : [];
  });
  if (!data && parts.length === 0) return undefined;
  return (value, found) => {
    const object = value as Record<string, unknown>;
    if (data && !data.fields.every((field) => isEmpty(object[field]))) {
      if (data.pupil === undefined) found.hasUnnamed = true;
      else addPupils(object[data.pupil], found);
    }
    for (const [key, walk] of parts) if (!isEmpty(object[key])) walk(object[key], found);
  };
}

/** Compiles the search for marked objects in values of a schema; undefined when it has none. */
function compileWalk(schema: z.core.$ZodType): Walk | undefined {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === 'object') return compileObject(schema as z.core.$ZodObject);
  if (def.type === 'nullable' || def.type === 'optional') return compileWalk(def.innerType);
  if (def.type === 'array') {
    const walk = compileWalk(def.element);
    return walk && ((value, found) => (value as unknown[]).forEach((element) => walk(element, found)));
  }
  if (def.type === 'union' && def.options.some((option) => compileWalk(option)))
    throw new Error('Data about a child in a union is not found.');
  if (def.type === 'record' && compileWalk(def.valueType))
    throw new Error('Data about a child in a record is not found.');
  return undefined;
}

/**
 * Compiles, once for each call, how the pupils in its replies are found; undefined for a call that shows no data about
 * pupils. Throws for a call that declares how its views are recorded without showing data, or the reverse.
 */
export function compileShownPupils(call: Call): FindShownPupils | undefined {
  const walk = compileWalk(call.reply);
  const { views } = call;
  if (!views) {
    if (walk) throw new Error(`${call.name} returns data about pupils and declares no views.`);
    return undefined;
  }
  if (!walk && call.files.length === 0)
    throw new Error(`${call.name} declares views and returns no data about pupils.`);
  return (answer, context) => {
    const named = listRequestedPupils(context);
    const found: FoundPupils = { pupils: new Set([...named, ...(context.shown ?? [])]), hasUnnamed: false };
    const isFile = answer instanceof FileReply;
    if (!isFile && named.length === 0) walk?.(answer, found);
    if ((isFile || found.hasUnnamed) && named.length === 0 && !context.shown)
      throw new Error(`${call.name} does not name the pupils whose data it returns.`);
    if (found.pupils.size === 0) return undefined;
    const what = isFile ? 'file' : call.method === 'GET' ? views.what : 'change';
    const subject = describeSubject(context, named);
    const screen = (subject.about === 'pupil' && views.screenAlone) || views.screen;
    return { what, screen, pupilIds: [...found.pupils], ...subject };
  };
}

function describeSubject(
  request: Pick<CallContext, 'params' | 'query'>,
  named: readonly number[],
): Pick<ShownPupils, 'about' | 'aboutId'> {
  const [only, ...others] = named;
  if (only !== undefined && others.length === 0) return { about: 'pupil', aboutId: only };
  const classId = findRequestedClass(request);
  return classId === undefined ? { about: 'list', aboutId: 0 } : { about: 'class', aboutId: classId };
}
