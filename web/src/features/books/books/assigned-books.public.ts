export { AssignedBooks } from './components/AssignedBooks.tsx';
