export { usePasswordReset } from './login-cards.api.ts';
export { ResetNotice } from './components/ResetNotice.tsx';
export { ResetPasswords } from './components/ResetPasswords.tsx';
export { MakeLoginCards } from './components/MakeLoginCards.tsx';
export { NewLoginCardByLink } from './components/NewLoginCardByLink.tsx';
export { RecentCards } from './components/RecentCards.tsx';
export { NewLoginsDialog } from './components/NewLoginsDialog.tsx';
export { storeNewLogins, useNewLogins } from './model/new-logins.ts';
