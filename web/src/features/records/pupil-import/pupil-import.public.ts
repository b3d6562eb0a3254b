export { AddedNotice } from './components/AddedNotice.tsx';
export { NewMark } from './components/NewMark.tsx';
