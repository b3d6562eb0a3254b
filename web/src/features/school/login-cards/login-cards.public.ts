export { ResetPasswords } from './components/ResetPasswords.tsx';
export { ResetPasswordButton } from './components/ResetPasswordButton.tsx';
export { RecentCards } from './components/RecentCards.tsx';
export { NewLoginsDialog } from './components/NewLoginsDialog.tsx';
export { storeNewLogins, useNewLogins } from './model/new-logins.ts';
