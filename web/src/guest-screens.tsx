import { forgottenScreen } from './features/accounts/access/ForgottenPage.tsx';
import { inviteScreen } from './features/accounts/access/InvitePage.tsx';
import { loginScreen } from './features/accounts/access/LoginPage.tsx';
import { passkeyLoginScreen } from './features/accounts/access/PasskeyLoginPage.tsx';
import { registerScreen } from './features/accounts/access/RegisterPage.tsx';
import { resetPasswordScreen } from './features/accounts/access/ResetPasswordPage.tsx';
import { secondStepScreen } from './features/accounts/access/SecondStepPage.tsx';
import { supplyScreen } from './features/accounts/access/SupplyPage.tsx';
import { hostedInvoiceScreen } from './features/billing/billing/HostedInvoicePage.tsx';
import { legalScreens } from './features/help/help/LegalTextPage.tsx';
import type { GuestPath } from './guest-paths.ts';
import type { GuestScreen } from './shell/guest-screen.ts';

/** The pages without the app. Only the server imports them. */
export const guestScreens: Record<GuestPath, GuestScreen> = {
  '/login': { ...loginScreen, description: 'Log in to see how the pupils of your school are reading.' },
  '/login/second-step': secondStepScreen,
  '/login/passkey': passkeyLoginScreen,
  '/supply': supplyScreen,
  '/register': {
    ...registerScreen,
    description: 'Register your school to add its staff, classes and pupils and see how they read.',
  },
  '/forgotten': { ...forgottenScreen, description: 'Get a link to choose a new password.' },
  '/password/forgotten': forgottenScreen,
  '/password/reset': resetPasswordScreen,
  ...legalScreens,
  '/invoices/:token': hostedInvoiceScreen,
  '/invite/:id': inviteScreen,
};
