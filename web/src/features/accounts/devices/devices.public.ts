export { DevicesCard } from './components/DevicesCard.tsx';
