export { ClassCovers } from './components/ClassCovers.tsx';
export { CoverDialog } from './components/LazyCoverDialog.ts';
export { ownCoverText } from './model/own-cover-text.ts';
