import { describe, expect, test } from 'vitest';
import { bannerOf } from './banner.ts';

const ending = (days: number, more: object = {}) => ({
  is_trial: false,
  has_expired: false,
  package_id: 5,
  payment_provider: 'invoice',
  next_period: null,
  meta: { is_nearing_end: days <= 60, num_of_days_before_end: days },
  ...more,
});
const school = {
  access: 'open',
  subscription: null,
  openInvoice: null,
  isManager: true,
  pupils: 55,
  today: '2026-11-25',
} as const;

describe('the end of a subscription', () => {
  test.each([
    [0, 'Your subscription ends today', 'warning'],
    [1, 'Your subscription ends tomorrow', 'warning'],
    [2, 'Your subscription ends in 2 days', 'warning'],
    [7, 'Your subscription ends in 7 days', 'warning'],
    [8, 'Your subscription ends in 8 days', 'neutral'],
    [60, 'Your subscription ends in 60 days', 'neutral'],
  ])('%i days before: "%s", %s, and Extend leads to the check page of the package', (days, text, tone) => {
    expect(bannerOf({ ...school, subscription: ending(days) })).toEqual({
      tone,
      text,
      link: { text: 'Extend', to: '/fill-billing-details?package=5' },
    });
  });

  test('the banner offers Extend only where the package can be extended', () => {
    const linkOf = (more: object, isOffered?: boolean) =>
      bannerOf({ ...school, isOffered, subscription: ending(20, more) })?.link;
    expect(linkOf({ payment_provider: 'manual' })).toEqual({
      text: 'Ask us to contact you',
      to: '/subscription/renew',
    });
    expect(linkOf({ package_id: null })?.text).toBe('Ask us to contact you');
    expect(linkOf({}, false)).toEqual({ text: 'View packages', to: '/subscription' });
    expect(linkOf({}, true)?.text).toBe('Extend');
  });

  test('a trial counts down its last seven days in a neutral tone', () => {
    expect(bannerOf({ ...school, subscription: ending(8, { is_trial: true }) })).toBeNull();
    expect(bannerOf({ ...school, subscription: ending(7, { is_trial: true }) })).toEqual({
      tone: 'neutral',
      text: 'Your subscription ends in 7 days',
      link: { text: 'Choose a package', to: '/select-subscription' },
    });
  });

  test('a teacher sees the end of the subscription in its last week, with the person to contact', () => {
    const teacher = { ...school, isManager: false };
    expect(bannerOf({ ...teacher, subscription: ending(8) })).toBeNull();
    const banner = bannerOf({ ...teacher, subscription: ending(1) });
    expect(banner?.text).toBe(
      'Your school’s subscription ends tomorrow. To renew it, please speak to your school administrator.',
    );
    expect(banner?.link).toBeUndefined();
  });

  test('there is no banner long before the end, or without a subscription', () => {
    expect(bannerOf({ ...school, subscription: ending(61) })).toBeNull();
    expect(bannerOf(school)).toBeNull();
  });
});

describe('a next period', () => {
  const before = (from: string, max_readers: number) =>
    ending(400, {
      next_period: { from, to: '2027-12-01', package_id: 2, title: 'Small group', max_readers, price: 15_000 },
    });

  test.each([
    ['2026-12-26', null],
    ['2026-12-25', 'neutral'],
    ['2026-12-03', 'neutral'],
    ['2026-12-02', 'warning'],
  ])('with too few places that starts on %s shows a banner (%s) on 25 November', (from, tone) => {
    const banner = bannerOf({ ...school, subscription: before(from, 30) });
    expect(banner?.tone ?? null).toBe(tone);
    if (banner) expect(banner.text).toMatch(/your package has 30 places. You have 55 pupils, so/);
    expect(banner?.link).toEqual(tone ? { text: 'View packages', to: '/subscription' } : undefined);
  });

  test('there is no banner about a next period with enough places, without a limit, or to a teacher', () => {
    expect(bannerOf({ ...school, subscription: before('2026-12-02', 55) })).toBeNull();
    expect(bannerOf({ ...school, pupils: 1200, subscription: before('2026-12-02', 999) })).toBeNull();
    expect(bannerOf({ ...school, isManager: false, subscription: before('2026-12-02', 30) })).toBeNull();
  });

  test('an unpaid invoice replaces the banner about a next period', () => {
    const openInvoice = { due_date: '2026-12-24' };
    expect(bannerOf({ ...school, openInvoice, subscription: before('2026-12-02', 30) })?.text).toMatch(
      /^You have an unpaid/,
    );
  });
});

describe('an unpaid invoice', () => {
  test.each([
    ['2026-12-03', 'neutral'],
    ['2026-12-02', 'warning'],
    ['2026-11-25', 'warning'],
  ])('due on %s is %s on 25 November, and precedes the end of the subscription', (due_date, tone) => {
    const banner = bannerOf({ ...school, subscription: ending(3), openInvoice: { due_date } });
    expect(banner?.tone).toBe(tone);
    expect(banner?.text).toMatch(/^You have an unpaid invoice due by \d+ \w+ 2026$/);
    expect(banner?.link).toEqual({ text: 'View invoice', to: '/subscription' });
  });
});

describe('a closed school', () => {
  test.each([
    ['locked', true, 'Pay the invoice', '/payment-required?show_sp_link=false'],
    ['locked', false, 'What you can still do', '/payment-required?show_sp_link=false'],
    ['expired', true, 'Choose a package', '/select-subscription?show_sp_link=false'],
    ['expired', false, 'What you can still do', '/select-subscription?show_sp_link=false'],
    ['none', true, 'Choose a package', '/select-subscription'],
  ] as const)('in the state %s (manager: %s) links %s', (access, isManager, text, to) => {
    const openInvoice = access === 'locked' && isManager ? { due_date: '2026-11-01' } : undefined;
    const banner = bannerOf({ ...school, access, isManager, openInvoice });
    expect(banner).toMatchObject({ tone: 'warning', link: { text, to } });
  });
});
