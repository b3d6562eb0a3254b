export { SwitchBackDialog } from './components/SwitchBackDialog.tsx';
export { useSwitchSchool } from './memberships.api.ts';
