export { NoClassYet } from './components/NoClassYet.tsx';
export { SecondAdminNotice } from './components/SecondAdminNotice.tsx';
export { SpeakToAdmin } from './components/SpeakToAdmin.tsx';
