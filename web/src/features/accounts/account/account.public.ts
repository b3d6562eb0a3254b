export { ResendConfirmation } from './components/ResendConfirmation.tsx';
