// Every kind of mail with the longest names that it meets, to look at: `e2e/mails.spec.ts` opens them in a browser.
import type { Config } from '../server/src/config.ts';
import { auditAlarmMail } from '../server/src/audit/audit-alarm.mail.ts';
import { accountChangedMail } from '../server/src/features/accounts/access/accounts.mail.ts';
import { emailChangeFailedMail, emailChangeMail } from '../server/src/features/accounts/access/email-change.mail.ts';
import {
  alreadyRegisteredMail,
  confirmationMail,
} from '../server/src/features/accounts/access/email-confirmation.mail.ts';
import { passwordResetMail } from '../server/src/features/accounts/access/password-reset.mail.ts';
import { newDeviceMail } from '../server/src/features/accounts/devices/new-device.mail.ts';
import {
  factorsResetMail,
  recoveryAnnouncementMail,
} from '../server/src/features/accounts/second-factor/factor-recovery.mail.ts';
import { factorChangedMail } from '../server/src/features/accounts/second-factor/second-factor.mail.ts';
import { linkChangedMail } from '../server/src/features/accounts/sign-in-providers/linked-account.mail.ts';
import { unmatchedPaymentMail } from '../server/src/features/billing/card-payments/unmatched-payments.mail.ts';
import { invoiceMail } from '../server/src/features/billing/invoices/invoices.mail.ts';
import type { InvoiceRow } from '../server/src/features/billing/invoices/invoices.queries.ts';
import { paymentReportMail } from '../server/src/features/billing/invoices/payment-reports.mail.ts';
import {
  endReminderMail,
  invoiceReminderMail,
  placesReminderMail,
} from '../server/src/features/billing/invoices/reminders.mail.ts';
import type { SubscriptionRow } from '../server/src/features/billing/subscriptions/subscriptions.public.ts';
import { supportAccessMail } from '../server/src/features/company/operators/support-access.mail.ts';
import { contactRequestMail } from '../server/src/features/help/help/contact-requests.mail.ts';
import { enquiryMail } from '../server/src/features/help/help/enquiries.mail.ts';
import { accountErasedMail } from '../server/src/features/privacy/erasure/own-account.mail.ts';
import { closingMail, erasedMail } from '../server/src/features/privacy/school-closing/school-closing.mail.ts';
import { type Digest, digestMail } from '../server/src/features/reading/weekly-digest/weekly-digest.mail.ts';
import { checkMail, failureMail } from '../server/src/features/records/school-records/check.mail.ts';
import { codeReusedMail } from '../server/src/features/school/covers/covers.mail.ts';
import { newLoginsMail } from '../server/src/features/school/login-cards/password-resets.mail.ts';
import { confirmProgramsMail, programsEndMail } from '../server/src/features/school/programs/programs.mail.ts';
import {
  requestMail,
  requestToSupportMail,
  secondAdminMail,
} from '../server/src/features/school/succession/succession.mail.ts';
import { inviteMail } from '../server/src/features/school/teachers/invites.mail.ts';
import type { Mail, MailKind } from '../server/src/mail/outbox.queries.ts';

const EMAIL = 'wilhelmina.featherstonehaugh@st-bartholomew-the-great.worcestershire.sch.uk';
const FIRST_NAME = 'Wilhelmina';
const PERSON = 'Wilhelmina Featherstonehaugh-Cholmondeley';
const SCHOOL = 'St Bartholomew-the-Great Church of England Primary School and Nursery, Little Haywood';
const TOKEN = 'Yq7LrU2mZ0pVtK9wXcB4nHs8JdFgAe31Yq7LrU2mZ0p';
const NOW = new Date('2026-12-01T09:30:00.000Z');
const ZONE = 'Europe/London';

const INVOICE = {
  number: 'INV-000128',
  token: TOKEN,
  status: 'open',
  due_date: '2027-01-04',
  locks_on: '2027-01-08',
  issued_at: NOW,
  po_number: 'PO-2026-0000451',
  total_pence: 107_880,
  content: { school: SCHOOL, email: EMAIL },
} as InvoiceRow;
const SUBSCRIPTION = { title: 'School', is_trial: false, expires_at: NOW } as SubscriptionRow;

const OWLS = 'Year 2 Short-eared Owls and Kestrels (Mrs Featherstonehaugh and Mr Okonkwo-Adeyemi)';
const PUPIL = { id: 412, classId: 7, name: 'Bartholomew-Maximilian F.' };
const DIGEST: Digest = {
  recipient: { userId: 3, role: 'teacher', covers: [], email: EMAIL, firstName: FIRST_NAME },
  naming: 'initial',
  classes: [
    { id: 7, name: OWLS, pupils: 30, pupilsReading: 21 },
    { id: 8, name: 'Year 3', pupils: 1, pupilsReading: 0 },
  ],
  reading: {
    days: { from: '2026-11-16', to: '2026-11-22' },
    isLastWeek: true,
    notRead: { named: [PUPIL], byClass: new Map([[7, 9]]), total: 9 },
    readMost: [PUPIL],
  },
  needs: {
    named: [{ ...PUPIL, reason: 'Keeps starting a book without finishing it' }],
    byClass: new Map([[7, 15]]),
    total: 15,
  },
  holiday: null,
  token: TOKEN,
};

const NEXT_PERIOD = {
  from: '2027-01-04',
  to: '2028-01-03',
  package_id: 3,
  title: 'School',
  max_readers: 120,
  price_per_year_pence: 89_900,
};

/** The mails of each kind. A kind without an example is a type error. */
export function exampleMails(config: Config): Readonly<Record<MailKind, readonly Mail[]>> {
  const { productName: product, publicUrl } = config;
  const link = (path: string): string => `${publicUrl}/${path}/${TOKEN}`;
  const person = { email: EMAIL, firstName: FIRST_NAME };
  const to = { recipient: EMAIL, firstName: FIRST_NAME };
  const programs = [{ name: 'Attendance and reading dashboard of the trust', admin: PERSON, endsAt: NOW }];
  const programsOf = { ...to, school: SCHOOL, timeZone: ZONE, programs };
  const request = {
    recipient: EMAIL,
    school: SCHOOL,
    names: { requestedBy: 'Siobhán McGlinchey', newAdmin: PERSON, formerAdmins: ['Kwabena Asante'] },
    isStaff: true,
  };
  return {
    account_changed: [
      accountChangedMail(product, { ...person, changed: ['email', 'password'] }),
      emailChangeFailedMail(product, person),
      factorChangedMail(product, person, { what: 'added', kind: 'passkey', name: 'Laptop in the office' }),
      factorsResetMail(product, { ...to, person: PERSON }),
      recoveryAnnouncementMail(product, {
        ...to,
        person: PERSON,
        isOwner: true,
        dueAt: NOW,
        timeZone: ZONE,
        link: `${publicUrl}/account`,
      }),
      linkChangedMail(product, { ...person, provider: 'Microsoft', isLinked: true }),
    ],
    account_erased: [accountErasedMail(product, EMAIL, SCHOOL)],
    admin_request: [
      requestMail(config, { ...request, step: { kind: 'requested' } }),
      requestMail(config, { ...request, step: { kind: 'confirmed', dueAt: NOW, timeZone: ZONE } }),
      requestMail(config, { ...request, step: { kind: 'ended', reason: 'stopped', by: PERSON } }),
      requestToSupportMail(config, { schoolId: 128, school: SCHOOL, admins: 2 }),
    ],
    already_registered: [alreadyRegisteredMail(product, EMAIL, publicUrl)],
    audit_alarm: [
      auditAlarmMail(product, { ...to, publicUrl, alarms: [{ school_id: 128, breach: 'entry 4,211 was changed' }] }),
    ],
    billing_reminder: [
      ...(['due_soon', 'due_today', 'locked', 'overdue'] as const).map((stage) =>
        invoiceReminderMail(stage, INVOICE, EMAIL, config),
      ),
      endReminderMail(SUBSCRIPTION, 7, EMAIL, config),
      placesReminderMail(NEXT_PERIOD, 164, 30, EMAIL, config),
    ],
    contact_request: [
      contactRequestMail(product, EMAIL, {
        action: 'start',
        time: 12,
        contact_number: '02079460000',
        email: EMAIL,
        contact_preference: 'phone',
      }),
    ],
    cover_ended: [
      codeReusedMail(config, {
        ...to,
        school: SCHOOL,
        className: 'Year 2 Hedgehogs',
        supplyTeacher: PERSON,
        link: `${publicUrl}/classes/12`,
      }),
    ],
    email_change: [emailChangeMail(product, { ...person, link: link('email') })],
    email_confirmation: [confirmationMail(product, { ...person, link: link('confirm/email'), isChange: false })],
    enquiry: [
      enquiryMail(
        product,
        EMAIL,
        { name: PERSON, email: EMAIL, role: 'Business manager', school: { id: 128, name: SCHOOL } },
        {
          subject: 'Login cards',
          message: 'Can we order cards on plastic?\nAnd in which sizes?',
          contact_number: '02079460000',
        },
      ),
    ],
    invite: [
      inviteMail(product, {
        email: EMAIL,
        name: PERSON,
        role: 'business_manager',
        school: SCHOOL,
        inviter: 'Siobhán McGlinchey',
        link: link('invite'),
        expiresAt: NOW,
      }),
    ],
    invoice: [
      invoiceMail(INVOICE, { email: EMAIL, isNewContact: false }, Buffer.from('%PDF'), config),
      invoiceMail(INVOICE, { email: EMAIL, isNewContact: true }, Buffer.from('%PDF'), config),
    ],
    new_device: [
      newDeviceMail(product, {
        ...person,
        browser: 'Edge',
        system: 'Windows',
        loggedInAt: NOW,
        timeZone: ZONE,
        link: link('session'),
      }),
    ],
    new_logins: [
      newLoginsMail({ to: { email: EMAIL, first_name: FIRST_NAME }, product, publicUrl, resetId: TOKEN, pupils: 32 }),
    ],
    password_reset: [passwordResetMail(product, { ...person, link: link('password/reset') })],
    payment_report: [
      paymentReportMail(
        INVOICE,
        'BACS 4711 / PO-2026-0000451',
        { first_name: FIRST_NAME, last_name: 'Asante', email: EMAIL },
        config,
      ),
    ],
    programs: [confirmProgramsMail(config, programsOf), programsEndMail(config, programsOf)],
    school_closing: [
      closingMail(config, { recipient: EMAIL, school: SCHOOL, step: { kind: 'requested', takesEffectAt: NOW } }),
      closingMail(config, { recipient: EMAIL, school: SCHOOL, step: { kind: 'closed', eraseAt: NOW } }),
    ],
    school_erased: [
      erasedMail(config, {
        recipient: EMAIL,
        name: SCHOOL,
        erasureId: 128,
        rows: 48_211,
        digest: '9f2c41d07be35a689f2c41d07be35a689f2c41d07be35a689f2c41d07be35a68',
        backupsExpireOn: '2027-01-05',
        receipt: Buffer.from('%PDF'),
      }),
    ],
    school_records_check: [
      checkMail(config, EMAIL, {
        applied: { joiners: 3, returners: 0, movers: 1, names: 0, year_groups: 0, leavers: 0, classes: 1 },
        openPlan: null,
      }),
      failureMail(config, EMAIL, 'The server of the school’s records did not answer within 30 seconds.'),
    ],
    second_admin: [secondAdminMail(config, { ...to, school: SCHOOL })],
    support_access: [
      supportAccessMail(product, {
        ...to,
        school: SCHOOL,
        person: PERSON,
        operator: 'Robin Marlowe',
        reason: 'You asked us why the year end does not offer Year 6.',
        startedAt: NOW,
        timeZone: ZONE,
      }),
    ],
    unmatched_payment: [
      unmatchedPaymentMail(
        { invoice_number: 'INV-000128', reference: `pi_${TOKEN}`, amount_pence: 107_880, currency: 'gbp' } as never,
        'amount_differs',
        config,
      ),
    ],
    weekly_digest: [digestMail(config, DIGEST)],
  };
}
