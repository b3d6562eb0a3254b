import { z } from 'zod';
import { defineCalls } from '../call.ts';
import { EXAMPLE } from '../examples.ts';
import { email, optionalLine, requiredLine, telephone, text } from '../fields.ts';

/** Hours of the day, in London, for calls back. */
export const CALL_HOURS = [9, 10, 11, 12, 13, 14, 15, 16, 17, 18] as const;
export const DEFAULT_CALL_HOUR = 10;

/** The hour of `10`, `"10"`, `"10:00"`, `"10 am"`, `"2pm"` or `"14"`. Hours from 1 to 6 are in the afternoon. */
function hourOf(typed: string | number): number | undefined {
  const [, digits] = /^(\d{1,2})(?::00)?\s*(?:am|pm)?$/i.exec(String(typed).trim()) ?? [];
  const hour = digits === undefined ? Number.NaN : Number(digits);
  const meant = hour >= 1 && hour <= 6 ? hour + 12 : hour;
  return CALL_HOURS.find((known) => known === meant);
}

const callHour = z
  .union([text('Choose a time.', 'Choose a time from 9 am to 6 pm.'), z.number()], 'Choose a time.')
  .transform((typed, context) => {
    const hour = hourOf(typed);
    if (hour !== undefined) return hour;
    context.addIssue({ code: 'custom', message: 'Choose a time from 9 am to 6 pm.' });
    return z.NEVER;
  })
  .default(DEFAULT_CALL_HOUR);

/** A phone number, with or without an extension. It is passed on as typed. */
const isPhoneNumber = (typed: string): boolean =>
  telephone.safeParse(typed.replace(/(?:ext(?:ension)?\.?|x)\s*\d{1,6}$/i, '')).success;
const WRONG_NUMBER = 'Enter a phone number, such as 020 7946 0000.';

export const contactRequestBody = z.object({
  time: callHour,
  contact_number: requiredLine('contact number', 40).refine(isPhoneNumber, WRONG_NUMBER),
  email,
  contact_preference: z.enum(['phone', 'email'], 'Choose phone or email.'),
});

/** In characters. */
const MAX_MESSAGE_LENGTH = 4000;

export const enquiryBody = z.object({
  subject: requiredLine('subject', 120),
  message: text('Write your message.', `A message has at most ${MAX_MESSAGE_LENGTH} characters.`, MAX_MESSAGE_LENGTH)
    .trim()
    .min(1, 'Write your message.'),
  contact_number: optionalLine('contact number', 40).refine(
    (typed) => typed === null || isPhoneNumber(typed),
    WRONG_NUMBER,
  ),
});

export const contactCalls = defineCalls({
  sendEnquiry: {
    method: 'POST',
    path: '/contactus/enquiries',
    tag: 'Help',
    summary: 'Send an enquiry to the company',
    description: 'The company gets an email that names the person and the school. Replies go to the person.',
    permission: 'view_school',
    area: 'help',
    example: {
      body: { subject: 'Login cards', message: 'Can we order cards on plastic?', contact_number: '020 7946 0000' },
    },
    body: enquiryBody,
    rateLimits: [{ by: 'user', tries: 10, seconds: 3600, countsSuccesses: true }],
  },

  requestContact: {
    method: 'POST',
    path: '/contactus/subscriptions/{action}',
    tag: 'Help',
    summary: 'Request a call or email about a new or renewed subscription',
    description: '`time` is an hour in London: 9 to 12 in the morning, 1 to 6 (or 13 to 18) in the afternoon.',
    permission: 'open',
    example: {
      body: { time: 10, contact_number: '020 7946 0000', email: EXAMPLE.teacherEmail, contact_preference: 'phone' },
    },
    params: z.strictObject({ action: z.enum(['start', 'renew']) }),
    body: contactRequestBody,
    rateLimits: [{ by: 'address', tries: 20, seconds: 3600 }],
  },
});
