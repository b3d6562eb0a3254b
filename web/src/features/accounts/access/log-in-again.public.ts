export { LogInAgainDialog } from './components/LogInAgainDialog.tsx';
