export { AssignBooksDialog } from './components/AssignBooksDialog.tsx';
export { SuggestBooksDialog } from './components/SuggestBooksDialog.tsx';
