export { Blocks, TEXT_STYLE } from './components/Blocks.tsx';
