export { SwitchBackDialog } from './components/SwitchBackDialog.tsx';
