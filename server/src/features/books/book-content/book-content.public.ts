export { FIRST_IMPORTED_ID } from './content-files.queries.ts';
export { coverSize, resizeCover } from './content-files.service.ts';
export { backUpOriginals, findMissingOriginals, originalPath, restoreOriginals } from './originals.service.ts';
export { readPictureSources } from './pictures.service.ts';
