import type { MailKind } from './outbox.queries.ts';

/**
 * Why a mail is sent:
 * `requested`: the recipient, or someone on their behalf, asked for it just now · `contract`: the contract or the law obliges
 * us to send it · `security`: it protects an account or the data of a school · `work`: the company's own work · `unasked`:
 * no one asked for it now, so `findUnaskedRecipients` decides.
 */
export type MailReason = 'requested' | 'contract' | 'security' | 'work' | 'unasked';

interface MailRule {
  reason: MailReason;
  /** Whom it goes to. */
  to: string;
  /** When it is sent, and what stops it. */
  rule: string;
}

/** The rule of each kind of mail. `docs/mail.md` has the same table, and a test compares them. */
export const MAIL_RULES: Readonly<Record<MailKind, MailRule>> = {
  account_changed: {
    reason: 'security',
    to: 'the user, at the old address too',
    rule: 'after each change of an account, in every state of the school',
  },
  account_erased: { reason: 'requested', to: 'the former user', rule: 'once, after they erase their account' },
  admin_request: {
    reason: 'security',
    to: 'admins, contacts and the staff concerned; support',
    rule: 'each step of an appointment of an admin, in every state of the school',
  },
  already_registered: {
    reason: 'requested',
    to: 'the owner of the address',
    rule: 'when someone registers with the address of an account',
  },
  audit_alarm: { reason: 'work', to: 'the company', rule: 'when an audit log does not match its chain' },
  billing_reminder: {
    reason: 'contract',
    to: 'the current billing contact, and those who can pay',
    rule: 'on the days of an open invoice and of an ending subscription',
  },
  contact_request: {
    reason: 'requested',
    to: 'support; the person who wrote',
    rule: 'when someone sends the contact form',
  },
  cover_ended: {
    reason: 'security',
    to: 'the teachers of the class, or the admins',
    rule: 'when two people use the code of a supply teacher',
  },
  email_change: { reason: 'security', to: 'the old address', rule: 'when a user asks for another address' },
  email_confirmation: {
    reason: 'requested',
    to: 'the address to confirm',
    rule: 'when an account is made or asks again',
  },
  enquiry: { reason: 'requested', to: 'support', rule: 'when someone sends an enquiry' },
  invite: {
    reason: 'requested',
    to: 'the person invited',
    rule: 'when an admin invites, once the admin’s own address is confirmed',
  },
  invoice: {
    reason: 'contract',
    to: 'the billing contact; a new one while it is open',
    rule: 'when an invoice or a credit note is issued, or the contact changes',
  },
  new_device: {
    reason: 'security',
    to: 'the user',
    rule: 'after a login from a new device, in every state of the school',
  },
  new_logins: {
    reason: 'requested',
    to: 'the member of staff who reset the passwords',
    rule: 'when passwords of pupils are reset',
  },
  password_reset: { reason: 'requested', to: 'the user', rule: 'when they ask for a new password' },
  payment_report: { reason: 'requested', to: 'the company', rule: 'when a school reports a payment' },
  programs: {
    reason: 'security',
    to: 'admins with a confirmed address',
    rule: 'once before a token ends, and once when it needs a confirmation',
  },
  school_closing: { reason: 'contract', to: 'admins', rule: 'each step of closing the school' },
  school_erased: { reason: 'contract', to: 'those who were admins', rule: 'once, with the receipt of the erasure' },
  school_records_check: {
    reason: 'security',
    to: 'admins with a confirmed address',
    rule: 'when a nightly check finds differences or fails',
  },
  second_admin: {
    reason: 'unasked',
    to: 'the only admin of a school',
    rule: 'once for each absence of 60 days or more',
  },
  support_access: { reason: 'security', to: 'admins', rule: 'when support enters the school' },
  unmatched_payment: { reason: 'work', to: 'the company', rule: 'when a card payment matches no open invoice' },
  weekly_digest: { reason: 'unasked', to: 'staff who subscribed', rule: 'once for each school week, on Monday' },
};
