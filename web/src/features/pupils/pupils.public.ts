export { pupilTable } from './components/pupils-table.ts';
