import { forgottenScreen } from './features/accounts/access/ForgottenPage.tsx';
import { hostedInvoiceScreen } from './features/billing/billing/HostedInvoicePage.tsx';
import { legalScreens } from './features/help/help/LegalPages.tsx';
import type { GuestPath } from './guest-paths.ts';
import type { GuestScreen } from './shell/guest-screen.ts';

/** The pages without the app. Only the server imports them. */
export const guestScreens: Record<GuestPath, GuestScreen> = {
  '/forgotten': { ...forgottenScreen, description: 'Get a link to choose a new password.' },
  '/password/forgotten': forgottenScreen,
  ...legalScreens,
  '/invoices/:token': hostedInvoiceScreen,
};
