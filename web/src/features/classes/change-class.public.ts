export { ChangeClassDialog } from './components/ChangeClassDialog.tsx';
