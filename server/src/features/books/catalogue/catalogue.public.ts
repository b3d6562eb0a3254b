export { importCatalogue } from './catalogue-import.service.ts';
export { arrangeLibrary, titleKey } from './catalogue.queries.ts';
export { loadCatalogue, readCatalogue } from './catalogue.service.ts';
