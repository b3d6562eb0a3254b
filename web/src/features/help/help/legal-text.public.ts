export { Blocks } from './components/Blocks.tsx';
