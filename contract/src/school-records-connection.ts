import { z } from 'zod';
import { text, timestamp } from './fields.ts';

export const sourceId = text('A source ID is text.', 'A source ID has at most 255 characters.').max(
  255,
  'A source ID has at most 255 characters.',
);

/** A school in the records, by its ID there. */
export const chosenSchool = z.strictObject({ source_id: z.string(), name: z.string() });
export const schoolOption = chosenSchool.extend({ pupils: z.number().int() }).meta({ id: 'SchoolRecordsSchool' });
export type SchoolRecordsSchool = z.infer<typeof schoolOption>;

/** A class of the connection's server. */
const chosenClass = z.strictObject({ source_id: z.string(), name: z.string() });
const schoolYear = z.number().int().min(0).max(13);

export const schoolRecordsConnection = z
  .strictObject({
    url: z.string(),
    token_url: z.string(),
    client_id: z.string(),
    /** The school to read from a server with pupils of several; null without a choice. */
    school: chosenSchool.nullable(),
    /** The classes and year groups to read; empty for all. */
    classes: z.array(chosenClass),
    school_years: z.array(schoolYear),
    /** Nightly checks add joiners and move pupils by themselves. Everything else always waits for an admin. */
    is_automatic: z.boolean(),
    is_paused: z.boolean(),
    checked_at: timestamp.nullable(),
    /** Why the last check failed; null if it worked. */
    failure: z.string().nullable(),
    /** What the last check found; null if it failed. */
    found: z.strictObject({ pupils: z.number().int(), classes: z.number().int() }).nullable(),
  })
  .meta({ id: 'SchoolRecordsConnection' });
export type SchoolRecordsConnection = z.infer<typeof schoolRecordsConnection>;

export const connectionTest = z
  .strictObject({
    /** The schools whose pupils the server has. */
    schools: z.array(schoolOption),
    /** Whether the school must be chosen first: there are several, or pupils of another than the chosen one. */
    needs_school: z.boolean(),
    pupils: z.number().int(),
    /** The classes that pupils are in, with how many. */
    classes: z.array(chosenClass.extend({ pupils: z.number().int() })),
    /** The year groups, 0 for Reception, with how many pupils. */
    school_years: z.array(z.strictObject({ school_year: schoolYear, pupils: z.number().int() })),
    notes: z.array(z.string()),
  })
  .meta({ id: 'ConnectionTest' });
export type ConnectionTest = z.infer<typeof connectionTest>;

const required = (label: string) =>
  text(`Enter the ${label}.`, `The ${label} has at most 500 characters.`, 500).trim().min(1, `Enter the ${label}.`);
const serverUrl = (label: string) =>
  required(label)
    // Without a user, a query and a fragment.
    .refine(
      (url) => /^https?:\/\/[^\s/?#@\\]+(\/[^\s?#\\]*)?$/i.test(url) && z.url().safeParse(url).success,
      `The ${label} must begin with https:// and have no question mark.`,
    );

export const schoolRecordsConnectionBody = z.object({
  /** The address to which `/users` is added. */
  url: serverUrl('address'),
  token_url: serverUrl('token address'),
  client_id: required('client ID'),
  client_secret: required('client secret'),
});

const manyClasses = 'Choose at most 500 classes.';
const chosen = z.object({
  source_id: sourceId,
  name: text('A name is text.', 'A name has at most 1,000 characters.', 1000),
});
export const connectionSettings = z.object({
  school: chosen.optional(),
  classes: z.array(chosen).max(500, manyClasses).optional(),
  school_years: z.array(schoolYear).max(14, 'Choose at most 14 year groups.').optional(),
  is_automatic: z.boolean().optional(),
  is_paused: z.boolean().optional(),
});
export type SchoolRecordsConnectionSettings = z.infer<typeof connectionSettings>;
