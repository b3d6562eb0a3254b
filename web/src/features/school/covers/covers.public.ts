export { ClassCovers } from './components/ClassCovers.tsx';
export { CoverDialog } from './components/LazyCoverDialog.tsx';
export { ownCoverText } from './model/own-cover-text.ts';
