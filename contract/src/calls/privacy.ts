import { z } from 'zod';
import { defineCalls } from '../call.ts';
import { EXAMPLE } from '../examples.ts';
import { id, ids, pagedMeta, paging, text, timestamp } from '../fields.ts';

const whole = z.number().int();
const day = z.iso.date();

/** Whom an erasure erased. */
const erasureKind = z.enum(['pupil', 'staff', 'school']);
export type ErasureKind = z.infer<typeof erasureKind>;

/** A kind of data that the portal stores. */
const holding = z
  .strictObject({
    name: z.string(),
    title: z.string(),
    contents: z.string(),
    whose: z.array(z.enum(['pupils', 'staff', 'school', 'company'])),
    purpose: z.string(),
    legal: z.string().nullable(),
    recipients: z.string(),
    /** Where the school gets a copy. */
    exported: z.string(),
    /** What deletes it. */
    erased: z.string(),
    /** For how long it is retained. */
    kept: z.string(),
    /** A period that the school may shorten. */
    period: z
      .strictObject({
        /** The name to send to `setRetentionPeriod`. */
        table: z.string(),
        /** The shorter periods in days that the school may choose. */
        choices: z.array(whole),
        /** The chosen one; null for the longest. */
        days: whole.nullable(),
        /** The longest period in words. */
        longest: z.string(),
      })
      .nullable(),
    /** Rows of this school that the last night removed; null where rows belong to no school. */
    removed: whole.nullable(),
  })
  .meta({ id: 'Holding' });
export type Holding = z.infer<typeof holding>;

/** A receipt, which names no one. */
const erasure = z
  .strictObject({
    id,
    kind: erasureKind,
    erased_at: timestamp,
    /** The nightly job did it, because the period in the archive or after leaving the staff was over. */
    is_automatic: z.boolean(),
    /** Rows of the person, in all tables. */
    rows: whole,
    /** The day on which the last nightly backup with the data is deleted; null without nightly backups. */
    backups_expire_on: day.nullable(),
  })
  .meta({ id: 'Erasure' });
export type Erasure = z.infer<typeof erasure>;

const formerMember = z
  .strictObject({
    id,
    first_name: z.string(),
    last_name: z.string(),
    /** Null for someone who works at another school now. */
    email: z.string().nullable(),
    /** The day on which they left, in London. */
    left_on: day,
  })
  .meta({ id: 'FormerMember' });
export type FormerMember = z.infer<typeof formerMember>;

/** A company that processes data for the school on our behalf, or a task of one that the operator has not named. */
const processor = z
  .strictObject({
    task: z.string(),
    data: z.string(),
    /** Null where the settings of the portal do not name it. */
    name: z.string().nullable(),
  })
  .meta({ id: 'Processor' });
export type Processor = z.infer<typeof processor>;

const retentionNight = z
  .strictObject({
    day,
    tables: z.array(
      z.strictObject({
        table: z.string(),
        /** What the rows are a part of. */
        title: z.string(),
        removed: whole,
        has_failed: z.boolean(),
      }),
    ),
  })
  .meta({ id: 'RetentionNight' });
export type RetentionNight = z.infer<typeof retentionNight>;

export const eraseOwnAccountBody = z.object({
  /** The caller's email address, as a confirmation. */
  confirmation: text('Enter your email address.', 'An email address has at most 254 characters.', 254).trim(),
});

export const privacyCalls = defineCalls({
  getDataAndPrivacy: {
    method: 'GET',
    path: '/enterprises/{id}/data',
    tag: 'Data and privacy',
    summary: 'What is stored, why, for how long, and who receives it',
    description: 'With what the last night removed from this school.',
    permission: 'view_privacy',
    area: 'records',
    params: ids('id'),
    reply: z.strictObject({
      holdings: z.array(holding),
      /** The last night in which the retention job ran. */
      last_run: day.nullable(),
      /** Former members of staff who can be erased. */
      former_staff: z.array(formerMember),
      /** Companies that process the data, as far as the settings of the portal name them. */
      processors: z.array(processor),
      /** See `setImportDigests`. */
      keeps_import_digests: z.boolean(),
    }),
  },
  setImportDigests: {
    method: 'POST',
    path: '/enterprises/{id}/data/import-digests',
    tag: 'Data and privacy',
    summary: 'Choose whether dates of birth and UPNs from lists of pupils are kept to recognise pupils',
    description:
      'As keyed digests that cannot be read, until the pupil leaves. A new school keeps none. Turning it off deletes them.',
    permission: 'edit_school',
    area: 'records',
    example: { body: { keep: true } },
    params: ids('id'),
    body: z.object({ keep: z.boolean('keep is true or false.') }),
  },

  setRetentionPeriod: {
    method: 'POST',
    path: '/enterprises/{id}/data/periods',
    tag: 'Data and privacy',
    summary: 'Choose how long some data is retained',
    description:
      'The nightly job then removes what is older. This cannot be undone. Of reading sessions the daily totals remain.',
    permission: 'edit_school',
    ownerOnly: true,
    needsProof: true,
    area: 'records',
    example: { body: { table: 'pupil_notes', days: 365 } },
    params: ids('id'),
    body: z.object({
      table: text('Choose the data.', 'A name has at most 100 characters.').max(
        100,
        'A name has at most 100 characters.',
      ),
      /** Null for the longest period. */
      days: z.number().int().nullable(),
    }),
  },

  listErasures: {
    method: 'GET',
    path: '/enterprises/{id}/erasures',
    tag: 'Data and privacy',
    summary: 'Receipts of erasures, the latest first',
    permission: 'view_privacy',
    area: 'records',
    params: ids('id'),
    query: z.object(paging),
    reply: z.strictObject({ erasures: z.array(erasure), meta: pagedMeta }),
  },

  getErasureReceipt: {
    method: 'GET',
    path: '/enterprises/{id}/erasures/{erasureId}/receipt',
    tag: 'Data and privacy',
    summary: 'The receipt of an erasure as a PDF',
    description:
      'With the number of rows, a keyed digest and the day on which the last backup expires. It names no one.',
    permission: 'view_privacy',
    area: 'records',
    params: ids('id', 'erasureId'),
    noProof: 'It names no one.',
    noViews: 'It names no one.',
    files: ['application/pdf'],
  },

  eraseFormerMember: {
    method: 'DELETE',
    path: '/enterprises/{id}/former-staff/{userId}',
    tag: 'Data and privacy',
    summary: 'Erase a former member of staff',
    description:
      'Of one who left the staff and belongs to no school; the nightly job does it two years after they left. Their account ends too, unless they have also left another school, which erases it. This cannot be undone. What they did in the school remains, under a number without a name.',
    permission: 'edit_school',
    ownerOnly: true,
    needsProof: true,
    area: 'records',
    params: ids('id', 'userId'),
    reply: z.strictObject({ erasure_id: id }),
    errors: ['teacher_not_found'],
  },

  eraseOwnAccount: {
    method: 'POST',
    path: '/enterprises/{id}/account/erase',
    tag: 'Data and privacy',
    summary: 'Erase your own account',
    description:
      'Ends all your sessions and erases the account at once, in each of your schools, like that of a former member of staff. This cannot be undone. The only admin of a school hands over first.',
    permission: 'view_school',
    ownerOnly: true,
    needsProof: true,
    whileClosed: true,
    area: 'account',
    example: { body: { confirmation: EXAMPLE.teacherEmail } },
    params: ids('id'),
    body: eraseOwnAccountBody,
    errors: ['last_admin', 'teacher_not_found'],
  },

  listRetentionRuns: {
    method: 'GET',
    path: '/admin/retention',
    tag: 'Operators',
    summary: 'What the retention job removed, night by night',
    permission: 'operator',
    query: z.object(paging),
    reply: z.strictObject({ nights: z.array(retentionNight), meta: pagedMeta }),
  },
});
