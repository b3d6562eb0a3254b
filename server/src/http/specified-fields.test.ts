import { accessCalls } from '#contract/calls/access.ts';
import { billingCalls } from '#contract/calls/billing.ts';
import { inviteCalls } from '#contract/calls/invites.ts';
import { schoolDetailsCalls } from '#contract/calls/school-details.ts';
import { schoolCalls } from '#contract/calls/school.ts';
import { beforeAll, expect, test } from 'vitest';
import { testApp } from '../testing/app.ts';
import { type BuiltSchool, CONTACT } from '../testing/builder.ts';

const app = testApp();

/** The fields that the specification of access and billing names. Replies may have more. */
const FIELDS = {
  User: 'first_name last_name email user_type enterprise enterprise_id enterprise_user_role require_password_reset weekly_school_digest_optin_at readers',
  'a user’s enterprise': 'id name terms_accepted_at',
  'a user’s reader': 'id type',
  School:
    'id name urn type recording_enabled can_enable_recordings contacts groups users subscription invoices user_manages setup',
  'a school’s setup': 'has_setup_teachers has_setup_classes has_setup_pupils has_setup_assigned_books',
  Contact:
    'id type contact_name job_role address_line_1 address_line_2 address_line_3 address_line_4 postcode country_code telephone email',
  'the billing contact':
    'contact_name email address_line_1 address_line_2 address_line_3 address_line_4 postcode country_code telephone',
  Subscription:
    'is_trial has_expired expires_at billing_period_end payment_provider payment_provider_subscription_id payment_amount renewal_duration_unit renewal_status max_readers meta',
  'a subscription’s meta': 'is_nearing_end num_of_days_before_end',
  Package: 'id title description price is_trial max_readers has_subscription',
  'a listed package': 'id title description price is_trial max_readers has_subscription meta',
  'a package’s meta': 'is_upgrading prorated_price',
  Invite: 'id status email name created_at expires_at',
  'an opened invite': 'id status email name created_at expires_at',
  Invoice: 'id issued_at due_date status invoice_pdf hosted_invoice_url',
  'the meta of invoices': 'has_open_invoice has_outstanding_invoice open_invoice outstanding_invoice',
} as const;
type Entity = keyof typeof FIELDS;

let school: BuiltSchool;
let replies: Record<Entity, object>;

beforeAll(async () => {
  school = await app.build.school();
  const own = { token: school.admin.token, params: { id: school.id } };
  await app.build.invoice(school);
  await app.call(schoolDetailsCalls.updateContact, { ...own, body: { contact: CONTACT } });
  const person = await app.build.person('standard');
  await app.database.kysely
    .insertInto('own_readers')
    .values({ user_id: person.id, name: 'Robin', type: 'child' })
    .execute();
  const { link } = await app.build.invite(school);

  const { user } = (await app.call(accessCalls.getMe, { token: school.teacher.token })).reply;
  const [profile] = (await app.call(accessCalls.getMe, { token: person.token })).reply.user.readers;
  const found = await app.call(schoolCalls.getSchool, { ...own, query: { include: 'invoices' } });
  const { contacts, setup, invoices } = found.reply.enterprise;
  const { billing_address } = (await app.call(schoolDetailsCalls.getBillingContact, own)).reply;
  const { subscription } = (await app.call(billingCalls.getSubscription, own)).reply;
  const { packages } = (await app.call(billingCalls.listPackages, own)).reply;
  const onePackage = await app.call(billingCalls.getPackage, { ...own, params: { id: school.id, packageId: 5 } });
  const { invites } = (await app.call(inviteCalls.listInvites, own)).reply;
  const { invite } = (await app.call(inviteCalls.getInvite, { params: { inviteId: link } })).reply;
  replies = {
    User: user,
    'a user’s enterprise': user.enterprise ?? {},
    'a user’s reader': profile ?? {},
    School: found.reply.enterprise,
    'a school’s setup': setup,
    Contact: contacts[0] ?? {},
    'the billing contact': billing_address ?? {},
    Subscription: subscription ?? {},
    'a subscription’s meta': subscription?.meta ?? {},
    Package: onePackage.reply.package,
    'a listed package': packages[0] ?? {},
    'a package’s meta': onePackage.reply.meta,
    Invite: invites[0] ?? {},
    'an opened invite': invite,
    Invoice: invoices?.data[0] ?? {},
    'the meta of invoices': invoices?.meta ?? {},
  };
});

test.each(Object.keys(FIELDS) as Entity[])('%s has every field of the specification', (entity) => {
  const fields = FIELDS[entity].split(' ');
  expect(
    Object.keys(replies[entity])
      .filter((field) => fields.includes(field))
      .sort(),
  ).toEqual(fields.sort());
});

test('a school’s subscription has the same fields in the school as in the call of its own', async () => {
  const own = { token: school.admin.token, params: { id: school.id } };
  const found = await app.call(schoolCalls.getSchool, own);
  expect(found.reply.enterprise.subscription).toEqual(replies.Subscription);
});
