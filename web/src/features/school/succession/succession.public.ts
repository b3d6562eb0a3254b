export { SpeakToAdmin } from './components/SpeakToAdmin.tsx';
