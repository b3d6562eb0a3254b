export { usePasswordReset } from './logins.api.ts';
export { ResetNotice } from './components/ResetNotice.tsx';
export { ResetPasswords } from './components/ResetPasswords.tsx';
