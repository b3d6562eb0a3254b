import type { Cover, SupplyCard } from '#contract/calls/covers.ts';

/** A cover of the class of `makeClass` by a supply teacher who has no card yet. It ends in the far future. */
export const makeCover = (more: Partial<Cover> = {}): Cover => ({
  id: 35,
  group: { id: 4, name: '3 Badgers' },
  user: { id: 90, first_name: 'Priya', last_name: 'Shah' },
  is_supply: true,
  ends_at: '2099-11-27T15:30:00.000Z',
  given_by: { id: 3, name: 'Ada Okafor' },
  code: 'none',
  ...more,
});

/** The card for the supply teacher of `makeCover`. */
export const makeSupplyCard = (more: Partial<SupplyCard> = {}): SupplyCard => ({
  name: 'Priya Shah',
  school: 'Oak Row',
  group: '3 Badgers',
  code: 'K7PM-3XQR-9DTW',
  url: 'https://portal.example/supply',
  qr: { size: 29, path: 'M0 0h7v7z' },
  works_until: '2099-11-26T23:59:59.000Z',
  ...more,
});
