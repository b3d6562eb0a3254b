export { SecondAdminNotice } from './components/SecondAdminNotice.tsx';
export { SpeakToAdmin } from './components/SpeakToAdmin.tsx';
