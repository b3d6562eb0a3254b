import { z } from 'zod';
import * as shape from './shapes.ts';

/** `sends`: the query of a GET, otherwise the body. */
interface SpecifiedCall {
  sends: z.ZodType;
  replies: z.ZodType;
}

/** A parameter of a query or a field of a form, which is text. */
const text = z.string();
const flag = z.union([z.literal(0), z.literal(1), z.boolean()]);
const ids = z.array(z.number());
const file = z.instanceof(File);
const names = z.array(z.strictObject({ name: text }));
const schoolForm = z.strictObject({ name: text, urn: text.optional(), type: z.literal('school') });

const emptyPayload = z.strictObject({});
const anyReply = z.object({});
const books = z.strictObject({ book_ids: ids });
const noPayload = { sends: emptyPayload, replies: anyReply };

/** Access and billing, section 7. */
const accessCalls = {
  'POST auth': { sends: z.strictObject({ email: text, password: text }), replies: shape.signedIn },
  'DELETE auth': noPayload,
  'POST users': {
    sends: z.strictObject({
      first_name: text,
      last_name: text,
      email: text,
      password: text,
      user_type: z.enum(['enterprise', 'standard']),
    }),
    replies: shape.signedIn,
  },
  'GET users/me': { sends: emptyPayload, replies: z.object({ user: shape.user }) },
  'POST users/me': {
    sends: z.strictObject({
      first_name: text.optional(),
      last_name: text.optional(),
      email: text.optional(),
      weekly_school_digest_optin: flag.optional(),
      password: text.optional(),
    }),
    replies: anyReply,
  },
  'POST users/resetpassword': { sends: z.strictObject({ email: text, isSchool: flag }), replies: anyReply },
  'POST users/password/verify': { sends: z.strictObject({ token: text }), replies: anyReply },
  'POST users/password/update': { sends: z.strictObject({ token: text, password: text }), replies: anyReply },
  'GET enterprises/{id}': {
    sends: z.strictObject({ include: z.literal('invoices,readers').optional() }),
    replies: z.object({ enterprise: shape.school }),
  },
  'POST enterprises': { sends: schoolForm, replies: z.object({ enterprise: z.object({ id: z.number() }) }) },
  'POST enterprises/{id}': {
    sends: z.union([schoolForm, z.strictObject({ recording_enabled: z.literal([0, 1]) })]),
    replies: anyReply,
  },
  'POST enterprises/{id}/contacts': { sends: z.strictObject({ contact: shape.sentContact }), replies: anyReply },
  'POST enterprises/setup': {
    sends: z.strictObject({
      school: schoolForm,
      contact: shape.sentContact,
      user: z.strictObject({ first_name: text, last_name: text, email: text, password: text }),
    }),
    replies: z.object({ enterprise: shape.school }),
  },
  'POST enterprises/{id}/terms/accept': noPayload,
  'GET enterprises/{id}/subscriptions': {
    sends: emptyPayload,
    replies: z.object({ subscription: shape.subscription.nullable() }),
  },
  'POST enterprises/{id}/subscriptions': {
    sends: z.strictObject({ contact: shape.sentContact, po_number: text.optional(), package_id: z.number() }),
    replies: z.object({ invoice: shape.invoice }),
  },
  'POST enterprises/{id}/subscriptions/trial': { sends: anyReply, replies: anyReply },
  'GET enterprises/{id}/subscriptions/packages': {
    sends: emptyPayload,
    replies: z.object({ packages: z.array(shape.packageOffer) }),
  },
  'GET enterprises/{id}/packages/{packageId}': {
    sends: emptyPayload,
    replies: z.object({ package: shape.packageOffer, meta: shape.packageMeta }),
  },
  'GET enterprises/{id}/contacts/billing': {
    sends: emptyPayload,
    replies: z.object({ billing_address: shape.contact.nullable() }),
  },
  'GET enterprises/{id}/invites': { sends: emptyPayload, replies: z.object({ invites: z.array(shape.invite) }) },
  'GET enterprises/invites/{id}': { sends: emptyPayload, replies: z.object({ invite: shape.openedInvite }) },
  'POST enterprises/invites/{id}/accept': noPayload,
  'POST enterprises/invites/{id}/decline': noPayload,
  'POST contactus/subscriptions/{action}': {
    sends: z.strictObject({
      time: z.number(),
      contact_number: text,
      email: text,
      contact_preference: z.enum(['phone', 'email']),
    }),
    replies: anyReply,
  },
} satisfies Record<string, SpecifiedCall>;

/** School operations, section 7. */
const operationsCalls = {
  'POST enterprises/{id}/invites': {
    sends: z.union([
      z.strictObject({ email: z.array(text), name: z.array(text) }),
      z.strictObject({ teachers_file: file }),
    ]),
    replies: z.object({
      sent: z.array(z.object({ email: text })),
      failed: z.array(z.object({ email: text, error: text })),
    }),
  },
  'DELETE enterprises/{id}/invites/{inviteId}': noPayload,
  'DELETE enterprises/{id}/users/{userId}': noPayload,
  'POST enterprises/{id}/users/{userId}/setadmin': { sends: z.strictObject({ admin: flag }), replies: anyReply },
  'POST enterprises/{id}/groups': {
    sends: z.strictObject({ name: text, assign_self: flag.optional() }),
    replies: z.object({ group: shape.group }),
  },
  'GET enterprises/{id}/groups/{groupId}': {
    sends: emptyPayload,
    replies: z.object({ group: shape.groupWithReaders }),
  },
  'POST enterprises/{id}/groups/{groupId}': {
    sends: z.strictObject({ name: text }),
    replies: z.object({ group: shape.group }),
  },
  'DELETE enterprises/{id}/groups/{groupId}': noPayload,
  'POST enterprises/{id}/groups/{groupId}/users/{userId}': noPayload,
  'DELETE enterprises/{id}/groups/{groupId}/users': noPayload,
  'POST enterprises/{id}/groups/{groupId}/readers/move': {
    sends: z.strictObject({ reader_ids: ids, source: z.number() }),
    replies: anyReply,
  },
  'POST enterprises/{id}/readers/password/reset': { sends: z.strictObject({ reader_ids: ids }), replies: anyReply },
  'GET enterprises/{id}/readers': {
    sends: z.union([
      z.strictObject({ 'search[value]': text, length: z.literal(50) }),
      z.strictObject({
        page: z.number(),
        per_page: z.literal([10, 25, 50, 100, 200]),
        is_ajax: z.literal(1),
        search: text,
        groups: z.union([z.number(), z.literal('')]),
        'sort[name]': z.enum(['asc', 'desc']),
      }),
    ]),
    replies: z.object({ readers: z.array(shape.reader), meta: z.object({ total_filtered: z.number() }) }),
  },
  'POST enterprises/{id}/readers': {
    sends: z.union([z.strictObject({ readers: names }), z.strictObject({ readers_file: file })]),
    replies: z.object({ links: shape.links }),
  },
  'POST enterprises/{id}/groups/{groupId}/readers': {
    sends: z.union([
      z.strictObject({ readers: z.strictObject({ existing: ids, new: names }) }),
      z.strictObject({ readers_file: file }),
    ]),
    replies: z.object({ links: shape.links }),
  },
  'DELETE enterprises/{id}/groups/{groupId}/readers/{pupilId}': noPayload,
  'DELETE readers/{id}': noPayload,
  'GET enterprises/{schoolId}/readers/{id}': { sends: emptyPayload, replies: z.object({ reader: shape.reader }) },
  'POST enterprises/{schoolId}/readers/{id}': {
    sends: z.strictObject({ name: text }),
    replies: z.object({ reader: shape.reader }),
  },
  'GET enterprises/{schoolId}/readers/{id}/summary': {
    sends: z.strictObject({ start_time: text, end_time: text }),
    replies: z.object({
      total_reading_time: z.number(),
      average_reading_time: z.number().nullable(),
      books_completed: z.number(),
      books_in_progress: z.number(),
      books_not_started: z.number(),
      reading_sessions: z.array(shape.readingSession),
    }),
  },
  'GET enterprises/{schoolId}/readers/{id}/books/{bookId}/summary': {
    sends: emptyPayload,
    replies: z.object({ book: shape.book, reading_sessions: z.array(shape.readingSession) }),
  },
  'GET enterprises/{schoolId}/groups/{groupId}/books': {
    sends: emptyPayload,
    replies: z.object({ books: z.array(shape.book), meta: z.object({ reader_name: text.nullable() }) }),
  },
  'GET enterprises/{schoolId}/readers/{pupilId}/books': {
    sends: emptyPayload,
    replies: z.object({ books: z.array(shape.book), meta: z.object({ reader_name: text }) }),
  },
  'POST enterprises/{schoolId}/groups/{groupId}/books/{bookId}': noPayload,
  'POST enterprises/{schoolId}/groups/{groupId}/books': { sends: books, replies: anyReply },
  'DELETE enterprises/{schoolId}/groups/{groupId}/books/{bookId}': noPayload,
  'POST enterprises/{schoolId}/groups/{groupId}/books/remove': { sends: books, replies: anyReply },
  'POST enterprises/{schoolId}/readers/{pupilId}/books/{bookId}': noPayload,
  'POST enterprises/{schoolId}/readers/{pupilId}/books': { sends: books, replies: anyReply },
  'DELETE enterprises/{schoolId}/readers/{pupilId}/books/{bookId}': noPayload,
  'POST enterprises/{schoolId}/readers/{pupilId}/books/remove': { sends: books, replies: anyReply },
  'GET charts': {
    sends: z.strictObject({
      group_id: z.number().optional(),
      reader_id: z.number().optional(),
      name: z.enum([
        'group_accuracy_by_reading_level_over_time',
        'group_reading_time_by_reading_level_over_time',
        'readers_accuracy_by_reading_level',
        'readers_read_books_by_reading_level',
        'readers_reading_time_by_reading_level',
      ]),
      start_date: text,
      end_date: text,
    }),
    replies: z.object({ chart: shape.chart }),
  },
} satisfies Record<string, SpecifiedCall>;

/** Without Resend, the 58th call, whose path is not specified. */
export const calls = { ...accessCalls, ...operationsCalls };
export type CallName = keyof typeof calls;
