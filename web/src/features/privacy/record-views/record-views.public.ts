export { WhoLooked } from './components/WhoLooked.tsx';
