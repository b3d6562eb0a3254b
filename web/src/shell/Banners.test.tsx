// @vitest-environment happy-dom
import type { User } from '#contract/calls/access.ts';
import type { School } from '#contract/calls/school.ts';
import type { ListedDelivery } from '#contract/mail-delivery.ts';
import { beforeEach, expect, it } from 'vitest';
import { useQuery } from '@tanstack/react-query';
import { mailDeliveriesQueries } from '../shared/mail-deliveries.ts';
import { fakeApi } from '../testing/fake-api.ts';
import { renderInApp } from '../testing/render-in-app.tsx';
import { Banners } from './Banners.tsx';

beforeEach(() => void fakeApi({}));

const person = (more: Partial<User> = {}) =>
  ({
    email: 'head@school.example',
    enterprise_id: 7,
    enterprise_user_role: 'admin',
    role: 'admin',
    email_confirmation_due_at: null,
    ...more,
  }) as User;
const school = {
  user_manages: true,
  access: 'open',
  subscription: {
    package_id: 5,
    payment_provider: 'invoice',
    is_trial: false,
    has_expired: false,
    meta: { is_nearing_end: true, num_of_days_before_end: 1 },
  },
} as School;

it('a banner asks the user to confirm their address, by when and why, until it is confirmed', () => {
  const due = person({ email_confirmation_due_at: '2026-11-25T12:00:00.000Z' });
  const { getByRole } = renderInApp(<Banners user={due} school={undefined} />);
  const text = getByRole('complementary', { name: 'Confirmation' }).textContent;
  expect(text).toContain('Confirm your email address by 25 November 2026');
  expect(text).toContain('head@school.example');
  expect(getByRole('link', { name: 'Change the address' }).getAttribute('href')).toBe('/account');
});

it('there is no banner for a confirmed address', () => {
  const { queryByRole } = renderInApp(<Banners user={person()} school={undefined} />);
  expect(queryByRole('complementary')).toBeNull();
});

it('the banner lets an administrator extend the subscription, and refers a teacher to the administrator', () => {
  const admin = renderInApp(<Banners user={person()} school={school} />);
  expect(admin.getByRole('link', { name: 'Extend' }).getAttribute('href')).toBe('/fill-billing-details?package=5');
  admin.unmount();
  const teacher = person({ enterprise_user_role: 'teacher', role: 'teacher' });
  const { getByRole, queryByRole } = renderInApp(
    <Banners user={teacher} school={{ ...school, user_manages: false }} />,
  );
  expect(getByRole('complementary').textContent).toContain('please speak to your school administrator');
  expect(queryByRole('link')).toBeNull();
});

it.each([
  [['Ben Marsh'], 'because Ben Marsh has left.', 'and Ben Marsh loses access to it.'],
  [
    ['Ben Marsh', 'Eve Marsh'],
    'because Ben Marsh and Eve Marsh have left.',
    'and Ben Marsh and Eve Marsh lose access to it.',
  ],
])(
  'admins see a request for a new admin at once, and all staff once it is decided: %j',
  (names, reason, consequence) => {
    const request = {
      id: 5,
      requested_by: null,
      new_admin: { id: 4, name: 'Cleo Marsh' },
      former_admins: names.map((name, index) => ({ id: index + 1, name })),
      requested_at: '2026-11-18T12:00:00.000Z',
    };
    const teacher = person({ enterprise_user_role: 'teacher', role: 'teacher' });
    const show = (user: User, due_at: string | null) => {
      const admin_request = { ...request, due_at };
      const view = renderInApp(
        <Banners user={user} school={{ access: 'open', subscription: null, admin_request } as School} />,
      );
      const text = view.queryByRole('complementary', { name: 'New admin' })?.textContent;
      view.unmount();
      return text;
    };
    expect(show(person(), null)).toContain(reason);
    expect(show(teacher, null)).toBeUndefined();
    expect(show(teacher, '2026-11-20T12:00:00.000Z')).toContain(consequence);
  },
);

const bounced = (about: ListedDelivery['about'], email: string): ListedDelivery => ({
  about,
  email,
  invoice_number: null,
  state: 'bounced',
  at: '2026-12-01T09:00:00.000Z',
  reason: '550 5.1.1 no such mailbox',
  is_blocked: false,
});

/** The banners after a screen has loaded its first queries. */
function LoadedBanners({ school: shown }: { school: School }) {
  const [query] = mailDeliveriesQueries({ user: person(), schoolId: 7, params: {}, query: new URLSearchParams() });
  useQuery(query as Parameters<typeof useQuery>[0]);
  return <Banners user={person()} school={shown} />;
}

it.each([
  ['account', 'open', '/account', 'Change the email of your account'],
  ['billing_contact', 'open', '/edit-school', 'Change the billing contact'],
  ['billing_contact', 'locked', '/payment-required', 'Change the billing contact'],
] as const)(
  'emails to the %s that come back are named with the words of the mail server, in a school that is %s',
  async (about, access, href, link) => {
    fakeApi({
      'GET /v1/enterprises/7/mail-deliveries': () => ({ deliveries: [bounced(about, 'finance@school.example')] }),
    });
    const { findByRole } = renderInApp(<LoadedBanners school={{ ...school, id: 7, access }} />);
    const banner = await findByRole('complementary', { name: 'Emails that come back' });
    expect(banner.textContent).toContain('Emails to finance@school.example do not arrive: “550 5.1.1 no such mailbox”');
    expect((await findByRole('link', { name: link })).getAttribute('href')).toBe(href);
  },
);

it('the banner asks for nothing itself: it shows what the first queries of a screen have found', () => {
  const sent = fakeApi({});
  renderInApp(<Banners user={person()} school={{ ...school, id: 7, access: 'locked' }} />);
  expect(sent).toEqual({});
});
