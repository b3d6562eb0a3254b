import type { Membership, User } from '#contract/calls/access.ts';
import type { Invoice, Subscription } from '#contract/calls/billing.ts';
import type { Pupil } from '#contract/calls/pupils.ts';
import type { Class, School } from '#contract/calls/school.ts';

/** A second school for a user of `makeUser`. */
export const ELM: Membership = {
  enterprise: { id: 8, name: 'Elm Street' },
  enterprise_user_role: 'teacher',
  role: 'teacher',
};

/** An admin of the school of `makeSchool` and a teacher of another. */
export const makeUserOfTwo = (more: Partial<User> = {}): User =>
  makeUser({ memberships: [ELM, ...makeUser().memberships], ...more });

/** The same person after a switch to the other school. */
export const makeUserOfElm = (): User =>
  makeUserOfTwo({
    enterprise: { ...ELM.enterprise, terms_accepted_at: '2026-01-05T09:00:00.000Z' },
    enterprise_id: 8,
    enterprise_user_role: 'teacher',
    role: 'teacher',
  });

/** An admin of the school of `makeSchool`. */
export const makeUser = (more: Partial<User> = {}): User =>
  ({
    id: 3,
    first_name: 'Ada',
    last_name: 'Okafor',
    email: 'ada@school.example',
    user_type: 'enterprise',
    enterprise: { id: 7, name: 'Oak Row', terms_accepted_at: '2026-01-05T09:00:00.000Z' },
    enterprise_id: 7,
    enterprise_user_role: 'admin',
    role: 'admin',
    covers: [],
    require_provider: false,
    memberships: [{ enterprise: { id: 7, name: 'Oak Row' }, enterprise_user_role: 'admin', role: 'admin' }],
    email_confirmation_due_at: null,
    ...more,
  }) as User;

export const makeSubscription = (more: Partial<Subscription> = {}): Subscription => ({
  id: 21,
  title: 'One-form entry',
  package_id: 5,
  is_trial: false,
  has_expired: false,
  expires_at: '2027-04-22T22:59:59.000Z',
  billing_period_end: '2027-04-22T22:59:59.000Z',
  payment_provider: 'invoice',
  payment_provider_subscription_id: null,
  payment_amount: 84_000,
  renewal_duration_unit: 'year',
  renewal_status: null,
  max_readers: 120,
  next_period: null,
  meta: { is_nearing_end: false, num_of_days_before_end: 150 },
  ...more,
});

export const makeInvoice = (more: Partial<Invoice> = {}): Invoice => ({
  id: 31,
  number: 'INV-000042',
  issued_at: '2026-11-24T09:00:00.000Z',
  due_date: '2026-12-24',
  locks_on: '2026-12-29',
  status: 'open',
  subtotal: 84_000,
  vat: 16_800,
  total: 100_800,
  currency: 'gbp',
  po_number: null,
  invoice_pdf: 'https://portal.example/v1/invoices/token.pdf',
  hosted_invoice_url: 'https://portal.example/invoices/token',
  ...more,
});

/** The invoices of a school, the latest first. An overdue one locks the school. */
export function makeInvoices(data: Invoice[], isOverdue = false): NonNullable<School['invoices']> {
  const open = data.find(({ status }) => status === 'open') ?? null;
  return {
    data,
    meta: {
      has_open_invoice: open !== null,
      has_outstanding_invoice: isOverdue,
      open_invoice: open,
      outstanding_invoice: isOverdue ? open : null,
    },
  };
}

export const makeSchool = (more: Partial<School> = {}): School => ({
  id: 7,
  name: 'Oak Row',
  urn: null,
  type: 'school',
  nation: 'england',
  nation_chosen: false,
  recording_enabled: false,
  names_in_emails: 'initial',
  can_enable_recordings: true,
  user_manages: true,
  terms_accepted_at: '2026-01-05T09:00:00.000Z',
  features: [],
  contacts: [],
  groups: [],
  users: [],
  subscription: makeSubscription(),
  readers_count: 90,
  setup: {
    has_setup_teachers: true,
    has_setup_classes: true,
    has_setup_pupils: true,
    has_setup_assigned_books: true,
    has_chart_data: true,
  },
  invoices: makeInvoices([]),
  access: 'open',
  closing: null,
  admin_request: null,
  second_admin: null,
  ...more,
});

/** A pupil whom the user may change. */
export const makePupil = (more: Partial<Pupil> = {}): Pupil => ({
  id: 5,
  name: 'Ada Baker',
  username: 'ada-baker',
  group: null,
  year_group: null,
  can_update: true,
  last_read_at: null,
  ...more,
});

/** A class of another teacher. */
export const makeClass = (more: Partial<Class> = {}): Class => ({
  id: 4,
  name: '3 Badgers',
  readers_count: 1,
  assigned_book_count: 0,
  year_groups: [],
  manager: null,
  manager_id: null,
  teachers: [],
  assistants: [],
  user_manages: false,
  ...more,
});
