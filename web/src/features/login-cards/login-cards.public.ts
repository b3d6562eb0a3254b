export { usePasswordReset } from './login-cards.api.ts';
export { ResetNotice } from './components/ResetNotice.tsx';
export { ResetPasswords } from './components/ResetPasswords.tsx';
export { NewLoginsDialog } from './components/NewLoginsDialog.tsx';
export { keepNewLogins, type NewLogins, readNewLogins } from './model/new-logins.ts';
