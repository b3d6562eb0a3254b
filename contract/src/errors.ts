import { adminRequestErrors } from './admin-request-errors.ts';
import { closingErrors } from './closing-errors.ts';
import { fileErrors } from './file-errors.ts';
import { linkErrors } from './link-errors.ts';
import { loginErrors } from './login-errors.ts';
import { programErrors } from './program-errors.ts';
import { setUpStepErrors } from './set-up-errors.ts';
import { subjectRequestErrors } from './subject-request-errors.ts';

/**
 * Every error that the API returns: its status, type and message for the user. The keys are internal names; `code` is
 * sent only where clients branch on it; `field` is the field of the body that the message belongs to.
 */
export const errorList = {
  malformed_body: {
    status: 400,
    type: 'bad_request',
    text: 'The request could not be read. Send valid JSON and a matching content type.',
  },
  duplicate_email: {
    status: 400,
    type: 'bad_request',
    text: 'Duplicate email',
    code: 'duplicate_email',
    field: 'email',
  },
  ...loginErrors,
  forbidden: {
    status: 403,
    type: 'permission',
    text: 'Your role does not allow this. Ask an administrator of your school.',
  },
  not_found: { status: 404, type: 'not_found', text: 'We could not find what you asked for.' },
  pupil_not_found: { status: 404, type: 'not_found', text: 'We could not find this pupil in your school.' },
  note_not_found: { status: 404, type: 'not_found', text: 'This note has been deleted.' },
  class_not_found: { status: 404, type: 'not_found', text: 'We could not find this class in your school.' },
  cover_not_found: { status: 404, type: 'not_found', text: 'This cover has ended. Load the page again.' },
  class_without_pupils: { status: 404, type: 'not_found', text: 'No pupils in this class' },
  teacher_not_found: { status: 404, type: 'not_found', text: 'We could not find this member of staff in your school.' },
  package_not_found: {
    status: 404,
    type: 'not_found',
    text: 'This package is no longer available. Choose another one.',
  },
  statistics_unavailable: {
    status: 404,
    type: 'not_found',
    text: 'Your school does not have the new statistics yet. Contact us to get them.',
  },
  invoice_not_found: {
    status: 404,
    type: 'not_found',
    text: 'We could not find this invoice. Check the link or the number.',
  },
  subscription_locked: {
    status: 402,
    type: 'payment',
    text: 'One of your school’s invoices is unpaid past its due date. Pay it to continue.',
    code: 'locked',
  },
  support_not_allowed: {
    status: 409,
    type: 'conflict',
    text: 'Support sees only settings and billing. An admin of the school can allow more for an hour, under School.',
    code: 'support_not_allowed',
  },
  ...adminRequestErrors,
  ...closingErrors,
  subscription_expired: {
    status: 402,
    type: 'payment',
    text: 'Your school’s subscription has ended. Choose a package to continue.',
    code: 'expired',
  },
  subscription_missing: {
    status: 402,
    type: 'payment',
    text: 'Your school has no subscription yet. Choose a package to start.',
    code: 'no_subscription',
  },
  downgrade: {
    status: 409,
    type: 'conflict',
    text: 'Downgrading is currently unsupported. Contact us for assistance.',
    code: 'downgrade',
  },
  invoice_unpaid: {
    status: 409,
    type: 'conflict',
    text: 'Upgrading is not available whilst there is an unpaid invoice. Contact us for assistance.',
    code: 'invoice_unpaid',
  },
  already_subscribed: {
    status: 409,
    type: 'conflict',
    text: 'Your school already has this package. You can extend it from 60 days before it ends.',
    code: 'already_subscribed',
  },
  too_many_pupils: {
    status: 409,
    type: 'conflict',
    text: 'This package has fewer places than your school has pupils. Choose a larger one or archive pupils.',
    code: 'too_many_pupils',
  },
  price_changed: {
    status: 409,
    type: 'conflict',
    text: 'The price has changed since you saw it. Check the new price and confirm again.',
    code: 'price_changed',
  },
  trial_unavailable: {
    status: 409,
    type: 'conflict',
    text: 'The free trial is only for new schools. Choose a package.',
    code: 'trial_unavailable',
  },
  invoice_not_open: {
    status: 409,
    type: 'conflict',
    text: 'This invoice no longer needs to be paid.',
    code: 'invoice_not_open',
  },
  invoice_closed: {
    status: 409,
    type: 'conflict',
    text: 'The status of this invoice does not allow that. Reload it and try again.',
    code: 'invoice_closed',
  },
  payment_already_reported: {
    status: 409,
    type: 'conflict',
    text: 'You have already told us about this payment today. We’ll record it as soon as it arrives.',
    code: 'payment_already_reported',
  },
  payment_not_found: { status: 404, type: 'not_found', text: 'We could not find this payment.' },
  payment_already_reconciled: {
    status: 409,
    type: 'conflict',
    text: 'This payment has already been marked as reconciled.',
    code: 'payment_already_reconciled',
  },
  subscription_superseded: {
    status: 409,
    type: 'conflict',
    text: 'The school has changed its subscription since this invoice. Credit the later invoice first, or credit this one without ending the subscription.',
    code: 'subscription_superseded',
  },
  card_unavailable: {
    status: 409,
    type: 'conflict',
    text: 'Payment by card is not available. Pay by bank transfer.',
    code: 'card_unavailable',
  },
  job_not_found: { status: 404, type: 'not_found', text: 'This job has not failed, or has been retried already.' },
  book_not_found: { status: 404, type: 'not_found', text: 'We could not find this book.', code: 'book_not_found' },
  user_not_found: { status: 404, type: 'not_found', text: 'User not found', code: 'user_not_found', field: 'email' },
  school_not_found: { status: 404, type: 'not_found', text: 'There is no school with this ID.' },
  invite_not_found: {
    status: 404,
    type: 'not_found',
    text: 'This invitation no longer exists. Ask your school for a new one.',
  },
  ...linkErrors,
  ...subjectRequestErrors,
  invite_accepted: {
    status: 409,
    type: 'conflict',
    text: 'This invitation has already been accepted. Log in to open the school.',
    code: 'invite_accepted',
  },
  invite_replaced: {
    status: 409,
    type: 'conflict',
    text: 'A newer invitation was sent. Use the link in that email.',
    code: 'invite_replaced',
  },
  invite_declined: {
    status: 409,
    type: 'conflict',
    text: 'This invitation was declined. Ask the school for a new one.',
    code: 'invite_declined',
  },
  invite_expired: {
    status: 409,
    type: 'conflict',
    text: 'This invitation has expired. Ask the school to send it again.',
    code: 'invite_expired',
  },
  invite_pending: {
    status: 409,
    type: 'conflict',
    text: 'This person has a newer invitation. Resend that one.',
    code: 'invite_pending',
  },
  invite_for_another: {
    status: 409,
    type: 'conflict',
    text: 'This invitation was sent to a different email address. Log in with that address.',
    code: 'invite_for_another',
  },
  already_in_school: {
    status: 409,
    type: 'conflict',
    text: 'This account already belongs to a school. An administrator of that school can remove it.',
    code: 'already_in_school',
  },
  already_on_staff: {
    status: 409,
    type: 'conflict',
    text: 'You already work at this school with this account.',
    code: 'already_on_staff',
  },
  too_many_schools: {
    status: 409,
    type: 'conflict',
    text: 'An account can belong to at most 50 schools. Leave one first.',
    code: 'too_many_schools',
  },
  school_not_yours: { status: 404, type: 'not_found', text: 'You do not work at this school with this account.' },
  school_switched: {
    status: 409,
    type: 'conflict',
    text: 'You have switched to another school in the meantime. Nothing has been changed. Switch back, then repeat.',
    code: 'school_switched',
  },
  not_yourself: {
    status: 409,
    type: 'conflict',
    text: 'You cannot do this to your own account. Ask another admin.',
    code: 'not_yourself',
  },
  not_while_impersonating: {
    status: 409,
    type: 'conflict',
    text: 'Only the owner of this account can do this. You are logged in as another person.',
    code: 'not_while_impersonating',
  },
  cannot_impersonate: { status: 409, type: 'conflict', text: 'Operators cannot be impersonated.' },
  ...setUpStepErrors,
  ...programErrors,
  recordings_unavailable: {
    status: 409,
    type: 'conflict',
    text: 'Recordings are not available for your school. Contact us to get them.',
  },
  conflict: {
    status: 409,
    type: 'conflict',
    text: 'Another user has changed this in the meantime. Reload the page and make your change again.',
  },
  class_not_managed: {
    status: 409,
    type: 'conflict',
    text: 'You do not manage this class. Ask its teacher or an administrator of your school.',
    code: 'class_not_managed',
  },
  class_teachers_full: {
    status: 409,
    type: 'conflict',
    text: 'A class has at most 12 teachers and teaching assistants. Remove one first.',
    code: 'class_teachers_full',
  },
  covers_full: {
    status: 409,
    type: 'conflict',
    text: 'At most 5 people can cover a class at once. End a cover first.',
    code: 'covers_full',
  },
  covers_class_already: {
    status: 409,
    type: 'conflict',
    text: 'This person already sees and changes the class. Choose someone else.',
    code: 'covers_class_already',
  },
  cover_of_colleague: {
    status: 409,
    type: 'conflict',
    text: 'A colleague logs in with their own account, and needs no card.',
    code: 'cover_of_colleague',
  },
  pupil_assistants_full: {
    status: 409,
    type: 'conflict',
    text: 'At most 10 teaching assistants can help a pupil. Remove one first.',
    code: 'pupil_assistants_full',
  },
  pupil_not_managed: {
    status: 409,
    type: 'conflict',
    text: 'This pupil is in a class that you do not manage. Ask an administrator of your school.',
    code: 'pupil_not_managed',
  },
  need_gone: { status: 409, type: 'conflict', text: 'This reason no longer applies. Load the list again.' },
  class_name_taken: {
    status: 422,
    type: 'validation',
    text: 'Your school already has a class with this name. Choose another name.',
    field: 'name',
  },
  year_end_applied: {
    status: 409,
    type: 'conflict',
    text: 'The year-end changes have already been applied in the last 30 days. Reload the page to see them. You can undo them if they were a mistake.',
    code: 'year_end_applied',
  },
  year_end_outdated: {
    status: 409,
    type: 'conflict',
    text: 'Another user has changed the classes in the meantime, so we changed nothing. Reload the page.',
  },
  school_records_outdated: {
    status: 409,
    type: 'conflict',
    text: 'Your school has changed since you opened this page, so we changed nothing. Reload the page.',
  },
  school_records_checking: {
    status: 409,
    type: 'conflict',
    text: 'A check is running already. Try again in a few minutes.',
  },
  school_records_on_hold: {
    status: 409,
    type: 'conflict',
    text: 'Many pupils would change. Check the list, then confirm that it is right.',
  },
  pupils_already_moved: {
    status: 409,
    type: 'conflict',
    text: 'Another user has moved these pupils in the meantime. Reload the class.',
  },
  file_expired: {
    status: 404,
    type: 'not_found',
    text: 'You cannot open this download. Only the person who made it can, for 24 hours. To make new cards, reset the passwords.',
  },
  ...fileErrors,
  school_records_unreadable: {
    status: 422,
    type: 'validation',
    text: 'We could not read this file. Export it again from your management information system.',
  },
  max_readers_reached: {
    status: 422,
    type: 'capacity',
    text: 'Your subscription does not have enough places for these pupils.',
  },
  idempotency_key_reused: {
    status: 409,
    type: 'conflict',
    text: 'This Idempotency-Key was used for another request. Use a new key.',
  },
  body_too_large: { status: 413, type: 'bad_request', text: 'The request is too large.' },
  unsupported_type: { status: 415, type: 'bad_request', text: 'The server does not read this content type.' },
  validation: { status: 422, type: 'validation', text: 'Some of the details are not correct.' },
  too_many_requests: {
    status: 429,
    type: 'rate_limit',
    text: 'Too many attempts. Wait a few minutes, then try again.',
  },
  server_error: { status: 500, type: 'server', text: 'An error occurred' },
  unavailable: { status: 503, type: 'server', text: 'An error occurred' },
  // Before any work was done for the request, so it can be sent again as it is.
  busy: {
    status: 503,
    type: 'server',
    text: 'The portal is busy. Nothing was changed.',
    code: 'busy',
  },
} as const satisfies Record<string, { status: number; type: ErrorType; text: string; code?: string; field?: string }>;

/** The `error_type` of an error reply. */
export type ErrorType =
  | 'bad_request'
  | 'authentication'
  | 'permission'
  | 'not_found'
  | 'conflict'
  | 'validation'
  | 'capacity'
  | 'payment'
  | 'rate_limit'
  | 'server';

/** The internal name of an error; see `errorList`. */
export type ErrorName = keyof typeof errorList;
