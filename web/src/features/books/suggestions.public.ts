export { SuggestBooksDialog } from './components/SuggestBooksDialog.tsx';
