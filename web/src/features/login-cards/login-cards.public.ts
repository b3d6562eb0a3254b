export { usePasswordReset } from './login-cards.api.ts';
export { ResetNotice } from './components/ResetNotice.tsx';
export { ResetPasswords } from './components/ResetPasswords.tsx';
export { MakeLoginCards } from './components/MakeLoginCards.tsx';
export { NewLoginCardButton } from './components/NewLoginCardButton.tsx';
export { RecentCards } from './components/RecentCards.tsx';
export { NewLoginsDialog } from './components/NewLoginsDialog.tsx';
export { keepNewLogins, useNewLogins } from './model/new-logins.ts';
