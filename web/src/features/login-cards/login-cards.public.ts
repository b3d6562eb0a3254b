export { usePasswordReset } from './login-cards.api.ts';
export { ResetNotice } from './components/ResetNotice.tsx';
export { ResetPasswords } from './components/ResetPasswords.tsx';
