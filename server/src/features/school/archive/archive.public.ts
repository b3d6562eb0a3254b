export { archivePupils } from './archive.queries.ts';
export { archive, restore } from './archive.service.ts';
