import type { PackageOffer } from '#contract/calls/billing.ts';

const AMOUNTS = { net: 84_000, vat: 16_800, total: 100_800 };

type Meta = PackageOffer['meta'];
type Changes = Partial<Omit<PackageOffer, 'meta'>> & { meta?: Partial<Meta> };

/** A package that the school of `makeSchool` could buy for a new year. */
export const makePackage = ({ meta, ...more }: Changes = {}): PackageOffer => ({
  id: 5,
  title: 'One-form entry',
  description: 'For schools with one class a year.',
  price: 84_000,
  is_trial: false,
  max_readers: 240,
  has_subscription: false,
  ...more,
  meta: {
    is_upgrading: false,
    is_extending: false,
    prorated_price: null,
    refusal: null,
    period: { from: '2026-11-24', to: '2027-11-23' },
    due_now: AMOUNTS,
    due_yearly: { ...AMOUNTS, from: '2027-11-24' },
    active_pupils: 90,
    missing_places: 0,
    vat_rate: 2000,
    ...meta,
  },
});

/** The same package as an upgrade in the middle of the year. */
export const makeUpgrade = (): PackageOffer =>
  makePackage({
    meta: {
      is_upgrading: true,
      prorated_price: 14_951,
      period: { from: '2026-11-24', to: '2027-04-22' },
      due_now: { net: 14_951, vat: 2990, total: 17_941 },
      due_yearly: { ...AMOUNTS, from: '2027-04-23' },
    },
  });

/** A package that cannot be bought now. */
export const makeUnavailablePackage = (refusal: Meta['refusal'], { meta, ...more }: Changes = {}): PackageOffer =>
  makePackage({ ...more, meta: { ...meta, refusal, period: null, due_now: null, due_yearly: null } });
