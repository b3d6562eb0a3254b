import { z } from 'zod';

/*
 * The fields that the specifications name, with their kinds. A field that they do not name is absent here, so the client
 * cannot read it.
 */

const id = z.number().int().positive();
const count = z.number().int().min(0);
/** A time with its offset. */
const time = z.iso.datetime({ offset: true });
const day = z.iso.date();
const role = z.enum(['admin', 'teacher']);

export const user = z.object({
  id,
  first_name: z.string(),
  last_name: z.string(),
  full_name: z.string(),
  email: z.email(),
  user_type: z.enum(['enterprise', 'standard']),
  enterprise: z.object({ id, name: z.string(), terms_accepted_at: time.nullable() }).nullable(),
  enterprise_id: id.nullable(),
  enterprise_user_role: role.nullable(),
  require_password_reset: z.boolean(),
  weekly_school_digest_optin_at: time.nullable(),
  readers: z.array(z.object({ type: z.string() })),
});

export const signedIn = z.object({ user, meta: z.object({ token: z.string().min(20) }) });

const line = z.string().nullable();
const address = {
  contact_name: z.string(),
  address_line_1: z.string(),
  postcode: z.string(),
  country_code: z.string().length(3),
  telephone: z.string(),
  email: z.string().nullable(),
};
const optionalLines = { job_role: line, address_line_2: line, address_line_3: line, address_line_4: line };

export const contact = z.object({ id, type: z.enum(['primary', 'billing']), ...address, ...optionalLines });

/** A contact as the client sends it. */
export const sentContact = z.strictObject({
  ...address,
  ...z.object(optionalLines).partial().shape,
  type: z.enum(['primary', 'billing']).optional(),
});

export const subscription = z.object({
  is_trial: z.boolean(),
  has_expired: z.boolean(),
  expires_at: time,
  billing_period_end: time,
  payment_provider: z.string().nullable(),
  payment_provider_subscription_id: z.string().nullable(),
  payment_amount: z.number(),
  renewal_duration_unit: z.string(),
  renewal_status: z.string().nullable(),
  max_readers: count,
  meta: z.object({ is_nearing_end: z.boolean(), num_of_days_before_end: z.number().int() }),
});

export const packageMeta = z.object({ is_upgrading: z.boolean(), prorated_price: z.number().nullable() });

export const packageOffer = z.object({
  id,
  title: z.string(),
  description: z.string(),
  price: z.number(),
  is_trial: z.boolean(),
  max_readers: count,
  has_subscription: z.boolean(),
  meta: packageMeta,
});

export const invoice = z.object({
  id,
  issued_at: time,
  due_date: day,
  status: z.string(),
  invoice_pdf: z.url(),
  hosted_invoice_url: z.url(),
});

/** The list itself has no specified place. */
const invoices = z.object({
  meta: z.object({
    has_open_invoice: z.boolean(),
    has_outstanding_invoice: z.boolean(),
    open_invoice: invoice.nullable(),
    outstanding_invoice: invoice.nullable(),
  }),
});

const teacher = z.object({
  id,
  first_name: z.string(),
  last_name: z.string(),
  enterprise_user_role: role,
  user_manages: z.boolean(),
});

export const group = z.object({
  id,
  name: z.string(),
  readers_count: count,
  assigned_book_count: count,
  manager: z.object({ id }).nullable(),
  manager_id: id.nullable(),
  user_manages: z.boolean(),
});

export const groupWithReaders = group.extend({
  readers: z.array(z.object({ id, name: z.string(), can_update: z.boolean() })),
});

export const reader = z.object({
  id,
  name: z.string(),
  group: z.object({ id, name: z.string() }).nullable(),
  can_update: z.boolean(),
});

export const school = z.object({
  id,
  name: z.string(),
  urn: z.string().nullable(),
  type: z.literal('school'),
  recording_enabled: z.boolean(),
  can_enable_recordings: z.boolean(),
  user_manages: z.boolean(),
  terms_accepted_at: time.nullable(),
  contacts: z.array(contact),
  groups: z.array(group),
  users: z.array(teacher),
  subscription: subscription.nullable(),
  setup: z.object({
    has_setup_teachers: z.boolean(),
    has_setup_classes: z.boolean(),
    has_setup_pupils: z.boolean(),
    has_setup_assigned_books: z.boolean(),
    has_chart_data: z.boolean(),
  }),
  /** Null without `include`. */
  invoices: invoices.nullable().default(null),
  readers: z
    .array(z.object({ id, name: z.string() }))
    .nullable()
    .default(null),
});

export const openedInvite = z.object({ status: z.string(), email: z.email() });

export const invite = z.object({
  id: z.union([z.string(), z.number()]),
  status: z.string(),
  email: z.email(),
  name: z.string(),
  created_at: time,
  expires_at: time,
  inviter: z.object({ first_name: z.string(), last_name: z.string() }).nullable(),
});

export const book = z.object({
  id,
  title: z.string(),
  description: z.string(),
  cover_image: z.string().nullable(),
  reading_level: z.number().int().min(1).max(6),
  collection_key: z.string(),
  tags: z.array(z.object({ id, text: z.string() })),
  pages_count: count,
  is_assigned: z.boolean(),
  is_assigned_via_group: z.boolean(),
  is_assigned_to_reader: z.boolean(),
  assigned_via: z.enum(['group', 'reader']).nullable(),
});

export const readingSession = z.object({
  id: z.union([z.string(), z.number()]),
  book_id: id,
  book_title: z.string(),
  date: time,
  reading_time: count,
  total_reading_time: count,
  accuracy: z.number().nullable(),
  range_progressive_accuracy: z.number().nullable(),
  has_completed_book: z.boolean(),
  words_correct_per_minute: z.number().nullable(),
  last_page: count,
  heatmap: z.array(z.number()),
  played_words: z.array(z.string()),
  skipped_words: z.array(z.string()),
});

export const chart = z.object({
  labels: z.array(z.string()),
  series: z.array(z.object({})),
  average: z.number().nullable(),
  total: z.number().nullable(),
});

/** URLs by name. The specification shows the names 'Logins' and 'Spreadsheet', not the fields. */
export const links = z.record(z.string(), z.url());
