export { assignToClass, assignToPupil } from './assignment.queries.ts';
export { loadCatalogue, readCatalogue } from './catalogue.service.ts';
