export { pupilTable } from './model/pupils-table.ts';
