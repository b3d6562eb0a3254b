export { setArchived } from './archive.queries.ts';
export { archivePupils, restorePupils } from './archive.service.ts';
