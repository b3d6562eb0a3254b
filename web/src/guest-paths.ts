/** The pages without the app, which the app leaves with a full load (`guest-screens.tsx`). */
export const guestPaths = [
  '/login',
  '/login/second-step',
  '/login/passkey',
  '/supply',
  '/register',
  '/forgotten',
  '/password/forgotten',
  '/password/reset',
  '/licence',
  '/terms',
  '/privacy',
  '/accessibility',
  '/invoices/:token',
  '/invite/:id',
] as const;

export type GuestPath = (typeof guestPaths)[number];
